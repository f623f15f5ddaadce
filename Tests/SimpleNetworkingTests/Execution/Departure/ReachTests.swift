import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// What was sent can't be taken back: what begins again asks for it.
@Suite(.timeLimit(.minutes(5)))
struct ReachTests {
    private final class Tunnel: SimpleNetworking, @unchecked Sendable {
        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            attempt.method = .post
        }
    }

    private struct Posting: Middleware {
        func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
            var request = request
            request.method = .post
            return try await next(request)
        }
    }

    /// An API whose every call is a POST.
    @Test(arguments: ["hook", "middleware"])
    func aPolicyLooksAtTheMethodThatWasSent(way: String) async {
        let server = StubTransport().on("/orders", .status(503))
        let policy = RetryPolicy(attempts: 3, backoff: .constant(0))
        let client =
            way == "hook"
            ? Tunnel(over: server) { $0.retryPolicy = policy }
            : SimpleNetworking(over: server, through: [Posting()]) { $0.retryPolicy = policy }
        #expect(await client.get("/orders").ended().error?.httpStatus == 503)
        #expect(server.log == ["POST /orders"])
    }

    @Test
    func aReauthenticationDoesNotRepeatAPostThatWasRedirected() async {
        let server = StubTransport()
            .on(.post, "/orders", .redirect(to: "/orders/1", status: 303))
            .on("/orders/1", .replies(.status(401), .json("{}"))).on("/auth", .json("{}"))
        let client = SimpleNetworking(over: server)
        let post = SimpleNetworking.post("/orders").on(httpStatus: 401) { request, _ in
            client.reauthenticate(request) { done in client.get("/auth") { $0.on(success: { _ in done() }) } }
            return false
        }
        #expect(await post.execute(on: client).ended().error?.httpStatus == 401)
        #expect(server.log.count { $0 == "POST /orders" } == 1)
    }

    /// What an origin that isn't trusted says about a credential that it never got.
    @Test
    func aReauthenticationDoesNotHeedAForeignTargetOfARedirect() async {
        let server = StubTransport().on("/a", .redirect(to: "https://other.example.org/b")).on("*", .status(401))
        let refreshes = Recorder<String>()
        let client = SimpleNetworking(over: server) { $0.defaultHeaders["Authorization"] = "Bearer ada" }
        let request = client.get("/a") {
            $0.on(httpStatus: 401) { request, _ in
                client.reauthenticate(request) { done in
                    refreshes.add("refresh")
                    done()
                }
                return false
            }
        }
        #expect(await request.ended().error?.httpStatus == 401)
        #expect(refreshes.elements.isEmpty)
    }
}
