import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// What a hedge waits for, and what waits for a hedge.
@Suite(.timeLimit(.minutes(5)))
struct HedgedWaitTests {
    private let clock = VirtualClock()

    private func client(
        over server: StubTransport,
        _ configure: (inout SimpleNetworking.Configuration) -> Void
    ) -> SimpleNetworking {
        SimpleNetworking(over: server, through: [Hedging(after: 1, share: 1)], clock: clock) {
            $0.timeout = 1000
            configure(&$0)
        }
    }

    @Test
    func aRequestThatHasJoinedATransferIsNotHedgedBeforeTheTransferIsSent() async throws {
        let held = Gate()
        let server = StubTransport().on("/held", .json("{}").after(held)).on("/x", .json("{}"))
        let client = client(over: server) {
            $0.traffic.inFlight = 1
            $0.traffic.coalesces = true
        }
        let first = client.post("/held")
        await held.arrivals(1)
        let requests = (0..<3).map { _ in client.get("/x") }
        try await eventually { requests.count { $0.trace.description.contains("joins") } == 2 }
        try await eventually { requests.contains { $0.trace.description.contains("waits for its turn") } }
        // Otherwise, it would have an alarm.
        #expect(clock.alarms(for: .hedge) == [])
        clock.advance(by: 30)
        held.open()
        for request in requests + [first] { #expect(await request.ended().value != nil) }
        #expect(!requests.contains { $0.trace.description.contains("sent twice") })
        #expect(server.requests.count == 2)
    }

    @Test
    func aRequestThatHasJoinedATransferIsNotHedgedWhileItsContentArrives() async throws {
        let gates = (0..<3).map { _ in Gate() }
        let server = StubTransport()
            .on("/x", .pieces("a", .gate(gates[0]), "b", .gate(gates[1]), "c", .gate(gates[2]), "d"))
        let client = client(over: server) { $0.traffic.coalesces = true }
        let first = client.get("/x")
        await gates[0].arrivals(1)
        let joined = client.get("/x")
        try await eventually { joined.trace.description.contains("joins") }
        try await eventually { self.clock.alarms(for: .hedge).count == 2 }
        for (number, gate) in gates.enumerated() {
            clock.advance(by: 0.75)
            gate.open()
            if number < 2 { await gates[number + 1].arrivals(1) }
        }
        for request in [first, joined] { #expect(await request.ended().value?.text == "abcd") }
        #expect(!joined.trace.description.contains("sent twice"))
        #expect(server.requests.count == 1)
    }

    /// Gives out credentials, from some time on slowly and without noticing a cancellation.
    private struct SlowAuthenticator: Authenticator {
        let isSlow = Locked(false)
        let slowCalls = Locked(0)
        let release = DispatchSemaphore(value: 0)

        func credential() async throws -> String? {
            guard isSlow.withLock({ $0 }) else { return "t" }
            _ = slowCalls.next()
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                DispatchQueue.global().async {
                    release.wait()
                    continuation.resume()
                }
            }
            return "t"
        }
        func sign(_ request: inout TransportRequest, with credential: String) {
            request.headers["Authorization"] = credential
        }
    }

    @Test
    func theFirstResponseDoesNotWaitForTheHedge() async throws {
        let gate = Gate()
        let server = StubTransport().on("/x", .json("{}").after(gate))
        let authenticator = SlowAuthenticator()
        let client = client(over: server) { $0.authenticator = authenticator }
        let request = client.get("/x")
        await gate.arrivals(1)
        _ = authenticator.isSlow.exchange(true)
        try await clock.advance(to: .hedge)
        try await eventually { authenticator.slowCalls.withLock { $0 } == 1 }
        gate.open()
        #expect(await request.ended(timeout: 60).value != nil)
        #expect(server.requests.count == 1)
        authenticator.release.signal()
    }

    @Test
    func aCancelledRequestDoesNotWaitForWhatItHasSent() async throws {
        let gate = Gate()
        let server = StubTransport().on("/x", .json("{}").after(gate))
        let middleware = EndWatch()
        let client = SimpleNetworking(over: server, through: [Hedging(after: 1, share: 1), middleware], clock: clock)
        let request = client.get("/x")
        try await clock.advance(to: .hedge)
        try await server.receives(2)
        request.cancel()
        #expect(await request.ended().error?.isCancellation == true)
        try await eventually { middleware.ends.elements == ["cancelled", "cancelled"] }
        #expect(clock.alarms(for: .hedge) == [])
    }

    @Test
    func aRequestThatHasWithdrawnIsNotHedgedBeforeItIsSent() async throws {
        let (held, slow) = (Gate(), Gate())
        let server = StubTransport()
            .on(.post, "/held", .json("{}").after(held)).on("/x", .json("{}").after(slow))
        let client = client(over: server) {
            $0.traffic.inFlight = 1
            $0.traffic.coalesces = true
            $0.defaultHeaders["Accept-Language"] = "en"
        }
        let first = client.post("/held")
        await held.arrivals(1)
        let starter = client.get("/x")
        try await eventually { starter.trace.description.contains("waits for its turn") }
        let own = client.get("/x") { $0.header("Accept-Language", "en") }
        try await eventually { own.trace.description.contains("joins") }
        client.headers["Accept-Language"] = "de"
        held.open()
        await slow.arrivals(1)
        try await eventually { own.trace.description.contains("waits for its turn") }
        // Whatever has an alarm by now stalls.
        try await clock.advance(to: .hedge)
        try await eventually { starter.trace.description.contains("sent twice") }
        #expect(!own.trace.description.contains("sent twice"))
        slow.open()
        for request in [starter, own, first] { #expect(await request.ended().value != nil) }
    }
}
