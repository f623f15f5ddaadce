import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

/// A faulty server and a whole client, with each engine.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct FaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reply: RawServer.Reply
        let error: String
    }

    static let faults = [
        Fault(testDescription: "reset", reply: .reset, error: "networkingError"),
        Fault(testDescription: "closed", reply: .closed, error: "networkingError"),
        Fault(testDescription: "truncated", reply: .truncated, error: "networkingError"),
        Fault(testDescription: "truncated by reset", reply: .truncatedByReset, error: "networkingError"),
        Fault(testDescription: "truncated chunk", reply: .truncatedChunk, error: "networkingError"),
        Fault(testDescription: "bad chunk", reply: .badChunk, error: "networkingError"),
        Fault(testDescription: "garbage", reply: .garbage, error: "networkingError"),
        Fault(testDescription: "bad status line", reply: .badStatusLine, error: "networkingError"),
        Fault(testDescription: "bad gzip", reply: .badGzip, error: "networkingError"),
        Fault(testDescription: "silence", reply: .silence, error: "timedOut"),
        Fault(testDescription: "stalled", reply: .stalled, error: "timedOut"),
        Fault(testDescription: "slow drip", reply: .drip("for ever and ever and ever", every: 0.1), error: "timedOut"),
        Fault(testDescription: "endless", reply: .endless, error: "tooLarge"),
        Fault(testDescription: "redirect without address", reply: .redirect(to: ""), error: "invalidResponse"),
        Fault(testDescription: "redirect to itself", reply: .redirect(to: "/"), error: "redirect"),
        Fault(testDescription: "redirect to a file", reply: .redirect(to: "file:///etc/passwd"), error: "redirect"),
    ]

    @Test(arguments: faults, Engine.allCases)
    func everyFaultEndsInASpecificErrorInTime(fault: Fault, engine: Engine) async throws {
        let isEndless = fault.error == "tooLarge" && engine.lacks(.limitWhileReceiving)
        let server = try RawServer { _ in fault.reply }
        let client = try engine.client(server) {
            $0.timeout = fault.error == "timedOut" || isEndless ? 0.4 : 60
            $0.maxResponseSize = 1 << 20
        }
        let outcome = try await withinSeconds(120) { await client.get("/").ended() }
        let error = try #require(outcome.error)
        #expect(name(of: error) == (isEndless ? "timedOut" : fault.error), "\(error)")
        #expect(error.localizedDescription.contains("GET http://127.0.0.1:"))
    }

    @Test(arguments: Engine.allCases)
    func closedPortFailsAndIsNamed(engine: Engine) async throws {
        let socket = try Socket.bound()
        let transport = try engine.transport()
        let client = SimpleNetworking(baseURL: try #require(URL(string: "http://127.0.0.1:\(socket.port)"))) {
            $0.transport = transport
            $0.logger = .quiet
        }
        let error = await client.get("/x").ended().error
        guard case .networkingError(let failure, let head)? = error else {
            throw "\(String(describing: error))".asError
        }
        #expect(failure.kind == .cannotConnect)
        #expect(head.url.path == "/x")
    }

    @Test(arguments: Engine.allCases)
    func aBasicChallengeReachesTheStatusHandlerWithItsContent(engine: Engine) async throws {
        let server = try RawServer { request in
            request[header: "Authorization"] == "Basic YTpi" ? .response(body: "welcome") : .unauthorized(body: "who?")
        }
        let client = try engine.client(server)
        let texts = Recorder<String>()
        let request = client.get("/basic") {
            $0.on(
                httpStatus: 401,
                { request, response in
                    texts.add(response.text ?? "")
                    client.authenticate(with: "a", password: "b")
                    request.retry()
                    return false
                }
            )
        }
        let outcome = try await withinSeconds(120) { await request.ended() }
        #expect(outcome.value?.text == "welcome")
        #expect(texts.elements == ["who?"])
    }

    @Test(arguments: Engine.allCases)
    func aClientThatIsReleasedAtOnceStillFinishesItsRequest(engine: Engine) async throws {
        let server = try RawServer { _ in .response(body: "done") }
        let request = try engine.client(server).get("/x")
        #expect(await request.ended().value?.text == "done")
    }
}
