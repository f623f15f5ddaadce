import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// An open circuit breaker together with what else a request has.
@Suite(.timeLimit(.minutes(1)))
struct BreakerPairTests {
    private final class Preparing: SimpleNetworking, @unchecked Sendable {
        let value = Locked("a")
        let prepared = Recorder<String>()

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            let value = value.withLock { $0 }
            if attempt.url.path == "/x" { prepared.add(value) }
            attempt.headers["X-Prepared"] = value
        }
    }

    private struct Rejected: Error {}

    /// Rejects every response.
    private final class Strict: SimpleNetworking, @unchecked Sendable {
        override func validate(_ response: SimpleResponse) throws { throw Rejected() }
    }

    private let server = StubTransport()
    private let clock = VirtualClock()
    private let breaker = CircuitBreaker(failureShare: 0.5, minimumCalls: 4, window: 30, openTime: 5)

    init() { server.on("/broken", .status(500)).on("*", .json("{}")) }

    private func open(_ client: SimpleNetworking) async {
        for _ in 0..<4 { await client.get("/broken").ended() }
    }

    private func expectRefusal(_ request: SimpleRequest) async throws {
        guard case .failed(is CircuitBreaker.Refusal, _, _)? = await request.ended().error else {
            throw Surprise("\(request.trace)")
        }
        #expect(server.requests(to: "/x").isEmpty)
    }

    @Test
    func aRefusedRequestIsPreparedAgainWhenItIsSent() async throws {
        let client = Preparing(over: server, through: [breaker], clock: clock) { $0.defaultHeaders["X-Tenant"] = "a" }
        await open(client)
        let request = client.get("/x")
        try await expectRefusal(request)
        client.headers["X-Tenant"] = "b"
        _ = client.value.exchange("b")
        clock.advance(by: 5)
        request.retry()
        #expect(await request.ended().value != nil)
        #expect(client.prepared.elements == ["a", "b"])
        let sent = try #require(server.requests(to: "/x").first)
        #expect(sent.headers["X-Prepared"] == "b" && sent.headers["X-Tenant"] == "b")
    }

    /// It is the server that fails, not the user.
    @Test
    func itStaysOpenForTheNextUserOfASignOut() async throws {
        let client = SimpleNetworking(over: server, through: [breaker], clock: clock)
        client.headers["Authorization"] = "Bearer ada"
        await open(client)
        client.signOut()
        client.headers["Authorization"] = "Bearer bob"
        try await expectRefusal(client.get("/x"))
        clock.advance(by: 5)
        #expect(await client.get("/x").ended().value != nil)
        #expect(server.requests(to: "/x").map { $0.headers["Authorization"] } == ["Bearer bob"])
    }

    /// The user has asked for something else, even if that isn't sent.
    @Test
    func aRefusedRequestReplacesTheOlder() async throws {
        let gate = Gate()
        let server = StubTransport().on("/older", .json("{}").after(gate)).on("/broken", .status(500))
        let client = SimpleNetworking(over: server, through: [breaker], clock: clock)
        let older = client.get("/older") { $0.replacing("key") }
        await gate.arrivals(1)
        await open(client)
        let newer = client.get("/x") { $0.replacing("key") }
        guard case .failed(is CircuitBreaker.Refusal, _, _)? = await newer.ended().error else {
            throw Surprise("\(newer.trace)")
        }
        #expect(await older.ended().error?.isCancellation == true)
        #expect(server.requests(to: "/x").isEmpty)
    }

    /// The server has done what it could.
    @Test(arguments: ["type", "status", "subclass"])
    func responsesThatOnlyTheRequestRejectsDoNotOpenIt(reason: String) async {
        let client =
            reason == "subclass"
            ? Strict(over: server, through: [breaker], clock: clock)
            : SimpleNetworking(over: server, through: [breaker], clock: clock)
        for _ in 0..<8 {
            let request = client.get("/x") { request in
                switch reason {
                case "type": request.acceptable(types: [.text])
                case "status": request.acceptable(statuses: [299])
                default: request
                }
            }
            #expect(await request.ended().value == nil)
        }
        #expect(server.requests(to: "/x").count == 8)
    }

    @Test
    func aFailureOfTheServerThatTheRequestAcceptsOpensIt() async throws {
        let client = SimpleNetworking(over: server, through: [breaker], clock: clock)
        for _ in 0..<4 {
            #expect(await client.get("/broken") { $0.acceptable(statuses: [500]) }.ended().value != nil)
        }
        try await expectRefusal(client.get("/x"))
    }
}
