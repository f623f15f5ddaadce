import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

/// A request's own rule for redirects.
@Suite(.timeLimit(.minutes(5)))
struct RedirectsOfARequestTests {
    private let server = StubTransport()
        .on("/from", .redirect(to: "/to")).on("/abroad", .redirect(to: "https://cdn.example.com/to")).on(
            "*",
            .text("there")
        )

    private func client(_ policy: RedirectPolicy = .follow) -> SimpleNetworking {
        SimpleNetworking(over: server) {
            $0.redirectPolicy = policy
            $0.defaultHeaders["Authorization"] = "Bearer secret"
        }
    }

    @Test
    func itTakesThePlaceOfTheClients() async {
        let kept = await client().get("/from") { $0.redirects(.never).acceptable(statuses: [302]) }.ended()
        #expect(kept.value?.headers["Location"] == "/to")
        let followed = await client(.never).get("/from") { $0.redirects(.follow) }.ended()
        #expect(followed.value?.text == "there")
    }

    @Test(arguments: Engine.allCases, [RedirectPolicy.never, .follow])
    func everyEngineKeepsToIt(engine: Engine, policy: RedirectPolicy) async throws {
        let server = try RawServer { $0.path == "/from" ? .redirect(to: "/to") : .response(body: "there") }
        let client = try engine.client(server) { $0.redirectPolicy = policy == .never ? .follow : .never }
        let end = await client.get("/from") { $0.redirects(policy).acceptable(statuses: [200, 302]) }.ended()
        #expect(end.value?.httpStatus == (policy == .never ? 302 : 200))
    }

    @Test
    func theNextRequestMayBeChanged() async {
        let end = await client().get("/from") { request in
            request.redirects(.follow) { head, redirect in
                head.headers["X-Status"] = "\(redirect.httpStatus)"
                head.url = head.url.appendingPathComponent("further")
            }
        }
        .ended()
        #expect(end.value?.text == "there")
        #expect(server.log == ["GET /from", "GET /to/further"])
        #expect(server.requests.last?.headers["X-Status"] == "302")
        #expect(server.requests.last?.headers["Authorization"] == "Bearer secret")
    }

    @Test
    func anErrorEndsTheAttempt() async {
        let end = await client().get("/from") { request in
            request.redirects(.follow) { _, _ in throw Surprise("no further") }
        }
        .ended()
        #expect("\(end.error.map { "\($0)" } ?? "")".contains("no further"))
        #expect(server.requests.count == 1)
    }

    /// Credentials leave the trusted origins only if the change itself adds them.
    @Test(arguments: [
        ("/abroad", false, false, nil), ("/abroad", false, true, "Bearer given"), ("/from", true, false, nil),
        ("/from", true, true, "Bearer given"),
    ])
    func credentialsAreNotTakenAbroadUnasked(path: String, leads: Bool, gives: Bool, field: String?) async throws {
        let end = await client().get(path) { request in
            request.redirects(.follow) { head, _ in
                if leads, let url = URL(string: "https://cdn.example.com/to") { head.url = url }
                if gives { head.headers["Authorization"] = "Bearer given" }
            }
        }
        .ended()
        #expect(end.value?.text == "there")
        #expect(server.requests.last?.url.host == "cdn.example.com")
        #expect(server.requests.last?.headers["Authorization"] == field)
    }

    @Test
    func anInvalidChangeIsRefused() async {
        let end = await client().get("/from") { request in
            request.redirects(.follow) { head, _ in head.url = URL(fileURLWithPath: "/etc/passwd") }
        }
        .ended()
        #expect(end.error != nil)
        #expect(server.requests.count == 1)
    }
}
