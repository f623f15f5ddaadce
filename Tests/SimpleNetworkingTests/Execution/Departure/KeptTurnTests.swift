import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// User code that takes its time while the request that waits for it has its turn.
@Suite(.timeLimit(.minutes(5)))
struct KeptTurnTests {
    /// Gives out its token slowly when it is told to.
    private final class SlowStore: Authenticator {
        let token: Locked<String>
        /// What the next reading waits for.
        let gate = Locked<Gate?>(nil)

        init(token: String) { self.token = Locked(token) }

        func credential() async throws -> String? {
            try await gate.withLock { $0 }?.wait()
            return token.withLock { $0 }
        }
        func isExpired(_ credential: String) -> Bool { credential == "expired" }
        func refresh(_ credential: String) async throws -> String {
            token.withLock { $0 = "t1" }
            return "t1"
        }
        func sign(_ request: inout TransportRequest, with credential: String) {
            request.headers["Authorization"] = credential
        }
    }

    /// Prepares requests for `/b` slowly when it is told to, and notices no cancellation.
    private final class SlowHook: SimpleNetworking, @unchecked Sendable {
        let slowness = Locked<Gate?>(nil)

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            guard request.path == "/b", let slowness = slowness.withLock({ $0 }) else { return }
            await Task { try? await slowness.wait() }.value
        }
    }

    private let clock = VirtualClock()
    private let held = [Gate(), Gate()]
    private let slow = [Gate(), Gate()]
    private let server: StubTransport

    init() {
        server = StubTransport()
            .on("/held/0", .json("{}").after(held[0])).on("/held/1", .json("{}").after(held[1])).on("*", .json("{}"))
    }

    private func client(_ authenticator: SlowStore) -> SimpleNetworking {
        SimpleNetworking(over: server, clock: clock) {
            $0.authenticator = authenticator
            $0.traffic.inFlight = 1
        }
    }

    /// Executes a request that occupies the client's only slot, now or as soon as another one gives it back.
    private func hold(_ number: Int, on client: SimpleNetworking) -> SimpleRequest {
        client.get("/held/\(number)") { $0.unauthenticated() }
    }

    /// Executes a request that waits for its turn, behind one that occupies the client's only slot.
    private func queue(
        _ path: String = "/b",
        on client: SimpleNetworking
    ) async throws -> (first: SimpleRequest, queued: SimpleRequest) {
        let first = hold(0, on: client)
        await held[0].arrivals(1)
        let queued = client.get(path)
        try await waitsForItsTurn(queued)
        return (first, queued)
    }

    /// Lets the queued request have its turn, whose credential is slow then.
    private func beginSlowly(with store: SlowStore) async {
        store.gate.withLock { $0 = slow[0] }
        held[0].open()
        await slow[0].arrivals(1)
    }

    private func waitsForItsTurn(_ request: SimpleRequest, times: Int = 1) async throws {
        try await eventually {
            request.trace.description.components(separatedBy: "waits for its turn").count > times
        }
    }

    /// Expects that a request that waits for nothing but its turn is sent after this time.
    private func expectFreeSlot(of client: SimpleNetworking, after seconds: TimeInterval? = nil) async throws {
        let free = client.get("/free") { $0.unauthenticated() }
        if let seconds {
            try await waitsForItsTurn(free)
            clock.advance(by: seconds)
        }
        #expect(await free.ended(timeout: 20).value != nil, "\(free.trace)")
    }

    @Test
    func aCredentialThatIsSlowAfterAWaitWithoutATurnBlocksNoSlot() async throws {
        let store = SlowStore(token: "expired")
        let client = client(store)
        let (first, request) = try await queue(on: client)
        await beginSlowly(with: store)
        try await expectFreeSlot(of: client, after: 0.05)
        slow[0].open()
        #expect(await request.ended().value != nil)
        await first.ended()
    }

    /// Occupies the slot that a request gives back, and lets the request have its turn again.
    private func takeTurns(_ client: SimpleNetworking, of request: SimpleRequest, meanwhile: () -> Void) async throws {
        let second = hold(1, on: client)
        try await waitsForItsTurn(second)
        clock.advance(by: 0.05)
        await held[1].arrivals(1)
        meanwhile()
        try await waitsForItsTurn(request, times: 2)
    }

    @Test
    func aCredentialThatIsSlowTwiceBlocksNoSlot() async throws {
        let store = SlowStore(token: "t1")
        let client = client(store)
        let (first, request) = try await queue(on: client)
        await beginSlowly(with: store)
        try await takeTurns(client, of: request) {
            store.gate.withLock { $0 = nil }
            slow[0].open()
        }
        store.gate.withLock { $0 = slow[1] }
        held[1].open()
        await slow[1].arrivals(1)
        try await expectFreeSlot(of: client, after: 0.5)
        slow[1].open()
        #expect(await request.ended().value != nil)
        await first.ended()
    }

    @Test
    func aCredentialThatIsSlowDuringARefreshBlocksNoSlot() async throws {
        let store = SlowStore(token: "t1")
        let client = client(store)
        let (first, request) = try await queue(on: client)
        let completion = beginRefresh(of: client)
        await beginSlowly(with: store)
        try await expectFreeSlot(of: client, after: 0.05)
        slow[0].open()
        completion.withLock { $0 }?()
        #expect(await request.ended().value != nil)
        await first.ended()
    }

    /// Begins a refresh that ends when the completion is called.
    private func beginRefresh(of client: SimpleNetworking) -> Locked<RefreshCompletion?> {
        let completion = Locked<RefreshCompletion?>(nil)
        client.sharedRefresh.recover(
            from: .expiry(client.current.mark.generation),
            clock: clock,
            limit: 60,
            waiter: { _ in },
            refresh: { made in completion.withLock { $0 = made } }
        )
        return completion
    }

    @Test(arguments: [false, true])
    func aHookThatIsSlowTheSecondTimeBlocksNoSlot(isCancelled: Bool) async throws {
        let client = SlowHook(over: server, clock: clock) { $0.traffic.inFlight = 1 }
        let (first, request) = try await queue(on: client)
        client.headers["X-Tenant"] = "1"
        let second = hold(1, on: client)
        try await waitsForItsTurn(second)
        // The first time, it gives its turn back at once.
        held[0].open()
        await held[1].arrivals(1)
        try await waitsForItsTurn(request, times: 2)
        client.headers["X-Tenant"] = "2"
        client.slowness.withLock { $0 = slow[0] }
        held[1].open()
        await slow[0].arrivals(1)
        if isCancelled { request.cancel() }
        try await expectFreeSlot(of: client, after: isCancelled ? nil : 0.05)
        slow[0].open()
        #expect((await request.ended().value == nil) == isCancelled)
        for other in [first, second] { #expect(await other.ended().value != nil) }
    }

    /// Rings an alarm that is cancelled when it is told to, as if it had been about to ring.
    private final class LateClock: RequestClock {
        let late = Locked<[@Sendable () -> Void]>([])

        var now: TimeInterval { 0 }

        func schedule(
            after seconds: TimeInterval,
            for label: AlarmLabel,
            _ work: @escaping @Sendable () -> Void
        ) -> @Sendable () -> Void {
            { [late] in if label == .refresh { late.withLock { $0.append(work) } } }
        }

        func ring() { for work in late.withLock({ $0 }) { work() } }
    }

    @Test
    func anAlarmThatRingsTooLateGivesBackNoTurn() async throws {
        let clock = LateClock()
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.authenticator = SlowStore(token: "t1")
            $0.traffic.inFlight = 1
        }
        let (first, request) = try await queue("/held/1", on: client)
        held[0].open()
        await held[1].arrivals(1)
        #expect(!clock.late.withLock { $0.isEmpty })
        clock.ring()
        // Its turn is the only one.
        #expect(!client.isIdle)
        held[1].open()
        for request in [first, request] { #expect(await request.ended().value != nil) }
    }

    /// Settings that change each time the credential is read let the request leave after some rounds, but not during a
    /// refresh.
    @Test
    func aRequestThatHasWaitedForManyChangesStillWaitsForARefresh() async throws {
        final class Restless: Authenticator {
            let client = Locked<SimpleNetworking?>(nil)
            let calls = Locked(0)
            let begin: @Sendable (SimpleNetworking) -> Void
            init(_ begin: @escaping @Sendable (SimpleNetworking) -> Void) { self.begin = begin }

            func credential() async throws -> String? {
                let call = calls.next()
                guard let client = client.withLock({ $0 }) else { return "t" }
                client.headers["X-Call"] = "\(call)"
                if call == 20 { begin(client) }
                return "t"
            }
            func sign(_ request: inout TransportRequest, with credential: String) {}
        }
        let completion = Locked<RefreshCompletion?>(nil)
        let restless = Restless { [clock] client in
            client.sharedRefresh.recover(
                from: .expiry(client.current.mark.generation),
                clock: clock,
                limit: 60,
                waiter: { _ in },
                refresh: { made in completion.withLock { $0 = made } }
            )
        }
        let client = SimpleNetworking(over: server, clock: clock) { $0.authenticator = restless }
        restless.client.withLock { $0 = client }
        let request = client.get("/b")
        try await eventually { request.trace.description.contains("refresh") || request.trace.end != nil }
        #expect(server.requests.isEmpty)
        restless.client.withLock { $0 = nil }
        completion.withLock { $0 }?()
        #expect(await request.ended().value != nil)
    }
}
