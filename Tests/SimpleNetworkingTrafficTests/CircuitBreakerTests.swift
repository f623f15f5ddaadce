import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTraffic

/// The circuit breaker as middleware of a client.
@Suite(.timeLimit(.minutes(5)))
struct CircuitBreakerTests {
    private let server = StubTransport()
    private let clock = VirtualClock()
    private let watch = EndWatch()
    private let api: SimpleNetworking

    init() {
        let breaker = CircuitBreaker(failureShare: 0.5, minimumCalls: 4, window: 30, openTime: 5)
        api = SimpleNetworking(over: server, through: [watch, breaker], clock: clock)
    }

    @discardableResult
    private func get(_ path: String = "/x", times: Int = 1) async -> SimpleRequest {
        for _ in 1..<times { await api.get(path).ended() }
        let request = api.get(path)
        await request.ended()
        return request
    }

    private func refusal(of request: SimpleRequest) async -> CircuitBreaker.Refusal? {
        guard case .failed(let error, _, _)? = await request.ended().error else { return nil }
        return error as? CircuitBreaker.Refusal
    }

    @Test
    func fourFailuresOpenItAndOneSuccessClosesIt() async throws {
        server.on("/x", .status(500), times: 5).on("/x", .json("{}"))
        let last = await get(times: 4)
        #expect(last.trace.description.contains("opened the circuit breaker for 5000 ms"))
        clock.advance(by: 0.75)
        let refused = await get()
        #expect(
            await refused.ended().error?.description
                == "GET https://api.example.com/x failed: https://api.example.com failed too often, so nothing is sent to "
                + "it for another 4.25 s."
        )
        #expect(refused.trace.description.contains("refused by the circuit breaker for 4250 ms"))
        let refusal = try #require(await refusal(of: refused))
        #expect(refusal.origin == Origin("https://api.example.com"))
        #expect(refusal.seconds == 4.25)
        #expect(server.requests.count == 4)

        clock.advance(by: 4.25)
        let probe = await get()
        #expect(probe.trace.description.contains("sent to find out whether the server is back"))
        #expect(await self.refusal(of: get()) != nil)
        clock.advance(by: 5)
        #expect(await get().trace.description.contains("closed the circuit breaker"))
        #expect(await get(times: 20).ended().value != nil)
        #expect(server.requests.count == 26)
    }

    @Test(arguments: [
        StubResponse.status(500), .status(599), .failure(.connectionLost), .failure(.cannotConnect), .failure(.tls),
        .failure(.cannotFindHost), .failure(.malformedResponse), .failure(.other),
    ])
    func failuresOfTheServerCount(response: StubResponse) async {
        server.on("/x", response)
        await get(times: 4)
        #expect(await refusal(of: get()) != nil)
    }

    @Test
    func timeoutsCount() async throws {
        server.on("/x", .silence)
        for _ in 0..<4 {
            let request = api.get("/x") { $0.timeout(1) }
            try await clock.advance(to: .timeout)
            await request.ended()
        }
        #expect(await refusal(of: get()) != nil)
    }

    @Test(arguments: [
        StubResponse.status(400), .status(404), .status(429), .status(499), .status(304), .status(200),
        .failure(.offline), .failure(.unreadableBody),
    ])
    func whatIsNotTheServersFaultNeverOpensIt(response: StubResponse) async {
        server.on("/x", response)
        await get(times: 40)
        #expect(server.requests.count == 40)
    }

    @Test
    func cancellationAndDeadlinesNeverOpenIt() async throws {
        server.on("/slow", .silence).on("/x", .json("{}"))
        for number in 0..<8 {
            let request = api.get("/slow") { $0.deadline(1) }
            try await server.receives(number + 1)
            if number < 4 { request.cancel() } else { clock.advance(by: 1) }
            await request.ended()
        }
        #expect(await get().ended().value != nil)
    }

    @Test
    func refusalsNeverCountAndAreNotRetried() async {
        server.on("/x", .status(503), times: 4).on("/x", .json("{}"))
        await get(times: 4)
        for _ in 0..<50 {
            let request = api.get("/x") { $0.retry(RetryPolicy(attempts: 5, backoff: .constant(0))) }
            await request.ended()
            #expect(await refusal(of: request) != nil)
        }
        clock.advance(by: 5)
        #expect(await get().ended().value != nil)
    }

    @Test
    func aCancelledProbeGivesItsPermitBack() async throws {
        server.on("/x", .status(500), times: 4).on("/x", .silence, times: 1).on("/x", .json("{}"))
        await get(times: 4)
        clock.advance(by: 5)
        let probe = api.get("/x")
        try await server.receives(5)
        #expect(await refusal(of: get()) != nil)
        probe.cancel()
        await probe.ended()
        let watch = watch
        try await eventually { watch.ends.elements.contains("cancelled") }
        #expect(await get().ended().value != nil)
    }

    @Test(arguments: [StubResponse.failure(.offline), .status(404)])
    func aProbeThatDoesNotCountAsAFailureLetsOthersTry(response: StubResponse) async {
        server.on("/x", .status(500), times: 4).on("/x", response, times: 1).on("/x", .json("{}"))
        await get(times: 4)
        clock.advance(by: 5)
        await get()
        #expect(await get().ended().value != nil)
    }

    @Test
    func eachOriginHasACircuitOfItsOwn() async {
        server.on("https://api.example.com/x", .status(500)).on("https://b.example.com/x", .json("{}"))
        await get(times: 4)
        #expect(await get("https://b.example.com/x").ended().value != nil)
        #expect(await refusal(of: get()) != nil)
    }

    @Test
    func circuitsWithoutUseAreForgotten() throws {
        var circuits = Circuits(Circuit.Rules(failureShare: 0.5, minimumCalls: 4, window: 30, openTime: 5))
        for number in 0..<1_000 {
            let origin = try #require(Origin("https://host\(number).example.com"))
            guard case .passed(let permit) = circuits.admit(to: origin, at: Double(number)) else {
                throw Surprise("a new origin was refused")
            }
            _ = circuits.settle(permit, .success, to: origin, at: Double(number))
            #expect(circuits.count <= 64)
        }
    }
}
