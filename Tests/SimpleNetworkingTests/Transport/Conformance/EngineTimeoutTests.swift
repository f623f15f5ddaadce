import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

@Suite("Every engine: timeouts", .serialized, .timeLimit(.minutes(5)))
struct EngineTimeoutTests {
    private static let slow = [
        RawServer.Reply.silence, .stalled, .drip(String(repeating: "x", count: 2000), every: 0.05),
    ]

    @Test(arguments: Engine.allCases, slow)
    func anAttemptEndsWithItsTimeoutAndFreesItsConnection(engine: Engine, reply: RawServer.Reply) async throws {
        let server = try RawServer { _ in reply }
        let client = try engine.client(server) { $0.timeout = 0.15 }
        let start = ContinuousClock.now
        let error = try await withinSeconds(120) { await client.get("/").ended().error }
        guard case .timedOut(.attempt(0.15), _)? = error else {
            Issue.record("\(error.map { "\($0)" } ?? "no error")")
            return
        }
        #expect(start.duration(to: .now) >= .milliseconds(150))
        // On a busy machine the time may be over before the connection is made.
        await server.wait { $0.closed == $0.opened }
    }

    @Test(arguments: Engine.allCases, [0, -5, .nan] as [TimeInterval])
    func zeroTimeoutEndsAtOnce(engine: Engine, timeout: TimeInterval) async throws {
        let server = try RawServer { _ in .silence }
        let client = try engine.client(server) { $0.timeout = timeout }
        let error = try await withinSeconds(120) { await client.get("/").ended().error }
        #expect(error.map(name(of:)) == "timedOut")
    }

    @Test(arguments: Engine.allCases, [19.9, .infinity, 1e16, .greatestFiniteMagnitude])
    func extremeTimeoutsDoNotFailARequest(engine: Engine, timeout: TimeInterval) async throws {
        let server = try RawServer { _ in .response() }
        let response = try await engine.transport().get(server.url()) {
            $0.timeout = timeout
            $0.idleTimeout = timeout
            $0.connectTimeout = timeout
        }
        #expect(response.httpStatus == 200)
    }

    @Test(arguments: Engine.allCases)
    func timeoutsAreKeptByTheEngineOrLeftToTheClient(engine: Engine) async throws {
        let transport = try engine.transport()
        #expect(transport.enforcesTimeouts != engine.lacks(.ownTimeouts))
        let server = try RawServer { $0.path == "/drip" ? .drip("12345678", every: 0.02) : .stalled }
        #expect(try await transport.get(server.url("/drip")) { $0.idleTimeout = 5 }.text == "12345678")
        guard !engine.lacks(.ownTimeouts) else { return }
        let idle = await transport.end(of: server.url()) { $0.idleTimeout = 0.1 }
        #expect(idle == "\(SimpleNetworkingError.Timeout.idle(0.1))")
        let attempt = await transport.end(of: server.url()) { $0.timeout = 0.15 }
        #expect(attempt == "\(SimpleNetworkingError.Timeout.attempt(0.15))")
    }

    @Test(arguments: Engine.allCases)
    func allRedirectsOfAnAttemptShareItsTimeout(engine: Engine) async throws {
        let server = try RawServer { request in
            let redirect = RawServer.Reply.redirect(to: request.target)
            return RawServer.Reply([.pause(0.2)] + redirect.steps, end: redirect.end)
        }
        let client = try engine.client(server) { $0.timeout = 0.5 }
        let error = try await withinSeconds(120) { await client.get("/loop").ended().error }
        guard case .timedOut(.attempt(0.5), _)? = error else { throw Surprise("\(error as Any)") }
        #expect(server.requests.count < 10)
    }
}
