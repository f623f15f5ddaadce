import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// When a request whose handlers are bound to objects is watched, and what keeps it going after their release.
@Suite(.timeLimit(.minutes(5)))
struct OwnerWatchTests {
    private final class Screen: Sendable {}

    private let server = StubTransport()
    private let clock = VirtualClock()
    private let client: SimpleNetworking

    init() { client = SimpleNetworking(over: server, clock: clock) }

    /// Sends a request whose first attempt is retried after 10 s by a handler that is bound to the object.
    private func delayed(_ screen: Screen?, after gate: Gate? = nil) -> SimpleRequest {
        server.on("/x", gate.map { .status(503).after($0) } ?? .status(503), times: 1).on("/x", .json("{}"))
        return client.get("/x") {
            $0.on(
                isolation: nil,
                httpStatus: 503,
                { request, _ in
                    request.retry(after: 10)
                    return false
                },
                owner: screen
            )
            .on(isolation: nil, success: { _ in }, owner: screen)
        }
    }

    /// Lets so many seconds pass, one after another, while the owners are looked for.
    private func pass(_ seconds: Int) async {
        for _ in 0..<seconds {
            await clock.alarms(1, for: .owners)
            clock.advance(by: 1)
        }
    }

    @Test
    func aDelayedRetryEndsWhenItsOwnersAreReleased() async throws {
        var screen: Screen? = Screen()
        let request = delayed(screen)
        await clock.alarms(1, for: .retry)
        screen = nil
        await pass(1)
        try await eventually { request.trace.end != nil }
        #expect(request.trace.description.contains("was cancelled"))
        #expect(server.requests.count == 1)
        let clock = clock
        try await eventually { clock.alarms.isEmpty }
    }

    @Test(arguments: [false, true])
    func awaitingTheEndKeepsARequestGoingDuringItsDelay(isAwaitedInDelay: Bool) async throws {
        let gate = Gate()
        var screen: Screen? = Screen()
        let request = delayed(screen, after: gate)
        await gate.arrivals(1)
        func wait() async -> Task<Result<SimpleResponse, SimpleNetworkingError>, Never> {
            let count = request.state.withLock { $0.handlers.count }
            let task = Task { await request.ended() }
            try? await eventually { request.state.withLock { $0.handlers.count } > count }
            return task
        }
        var end = isAwaitedInDelay ? nil : await wait()
        gate.open()
        await clock.alarms(1, for: .retry)
        if isAwaitedInDelay { end = await wait() }
        screen = nil
        await pass(10)
        #expect(await end?.value.value?.httpStatus == 200)
    }

    @Test
    func aHandlerThatIsAddedToARunningRequestBeginsTheWatch() async throws {
        let gate = Gate()
        server.on("/x", .json("{}").after(gate))
        let request = client.get("/x")
        await gate.arrivals(1)
        var screen: Screen? = Screen()
        request.on(isolation: nil, success: { _ in }, owner: screen)
        await pass(1)
        #expect(request.trace.end == nil)
        await clock.alarms(1, for: .owners)
        screen = nil
        await pass(1)
        try await eventually { request.trace.end != nil }
        #expect(request.trace.description.contains("was cancelled"))
        gate.open()
    }

    @Test
    func aHandlerThatIsAddedDuringADelayBeginsTheWatch() async throws {
        server.on("/x", .status(503))
        let request = client.get("/x")
        await request.ended()
        request.retry(after: 10)
        await clock.alarms(1, for: .retry)
        // The wait for the first end is over.
        var screen: Screen? = Screen()
        request.on(isolation: nil, success: { _ in }, owner: screen)
        screen = nil
        await pass(1)
        try await eventually { request.trace.description.contains("was cancelled") }
        #expect(server.requests.count == 1)
    }

    @Test
    func aRetryAfterTheEndIsWatchedDuringItsDelay() async throws {
        server.on("/x", .status(503))
        var screen: Screen? = Screen()
        let request = client.get("/x") { $0.on(isolation: nil, success: { _ in }, owner: screen) }
        await request.ended()
        request.retry(after: 10)
        await clock.alarms(1, for: .retry)
        screen = nil
        await pass(1)
        try await eventually { request.trace.description.contains("was cancelled") }
        #expect(clock.alarms(for: .retry).isEmpty)
        #expect(server.requests.count == 1)
    }

    /// Holds back every request, as a client does that waits for a consent.
    private final class HoldingClient: SimpleNetworking, @unchecked Sendable {
        let hold = Gate()

        override func execute(request: SimpleRequest) {
            // A handler of the client keeps no request going.
            request.on(isolation: nil, completion: { _ in })
            Task {
                try? await hold.wait()
                request.on(isolation: nil, completion: { _ in })
                super.execute(request: request)
            }
        }
    }

    @Test(arguments: [false, true])
    func aRequestThatTheClientHoldsBackIsWatched(hasOther: Bool) async throws {
        server.on("/x", .json("{}"))
        let client = HoldingClient(over: server, clock: clock)
        var screen: Screen? = Screen()
        let request = client.get("/x") { $0.on(isolation: nil, success: { _ in }, owner: screen) }
        await client.hold.arrivals(1)
        // This one is the user's, and has no owner.
        if hasOther { request.on(isolation: nil, success: { _ in }) }
        screen = nil
        if !hasOther {
            await pass(1)
            try await eventually { request.trace.end != nil }
        } else {
            clock.advance(by: 3)
        }
        client.hold.open()
        #expect(await request.ended().error?.isCancellation == (hasOther ? nil : true))
        #expect(server.requests.count == (hasOther ? 1 : 0))
    }

    @Test
    func aSuspendedRequestIsWatched() async throws {
        server.on("/x", .json("{}"))
        var screen: Screen? = Screen()
        let request = SimpleNetworking.get("/x").on(isolation: nil, success: { _ in }, owner: screen)
        request.suspend()
        request.execute(on: client)
        await clock.alarms(1, for: .owners)
        screen = nil
        await pass(1)
        try await eventually { request.trace.end != nil }
        #expect(request.trace.description.contains("was cancelled"))
        #expect(server.requests.isEmpty)
    }

    @Test
    func progressThatIsReadKeepsNothingGoing() async throws {
        let gate = Gate()
        server.on("/x", .json("{}").after(gate))
        var screen: Screen? = Screen()
        let request = SimpleNetworking.get("/x").on(isolation: nil, success: { _ in }, owner: screen)
        let updates = request.progressUpdates()
        let reading = Task { for await _ in updates {} }
        request.execute(on: client)
        await gate.arrivals(1)
        screen = nil
        await pass(1)
        try await eventually { request.trace.end != nil }
        #expect(request.trace.description.contains("was cancelled"))
        await reading.value
        gate.open()
    }

    @Test
    func progressThatIsReadEndsNoRequestWithoutHandlers() async throws {
        let gate = Gate()
        server.on("/x", .json("{}").after(gate))
        let request = SimpleNetworking.get("/x")
        do { _ = request.progressUpdates() }
        request.execute(on: client)
        await gate.arrivals(1)
        clock.advance(by: 5)
        gate.open()
        #expect(await request.ended().value != nil)
    }

    /// The request continues after the wait, as it would have without it.
    @Test(arguments: [false, true])
    func aWaitThatHasEndedKeepsNothingGoing(hasOwner: Bool) async throws {
        let gate = Gate()
        server.on("/x", .json("{}").after(gate))
        var screen: Screen? = Screen()
        let request = SimpleNetworking.get("/x")
        if hasOwner { request.on(isolation: nil, success: { _ in }, owner: screen) }
        request.execute(on: client)
        await gate.arrivals(1)
        let wait = Task { await request.ended() }
        try await eventually { request.state.withLock { !$0.handlers.filter(\.isCompletion).isEmpty } }
        screen = nil
        if hasOwner { await pass(2) } else { clock.advance(by: 2) }
        // The next look is planned when the last one is over.
        if hasOwner { await clock.alarms(1, for: .owners) }
        #expect(request.trace.end == nil)
        wait.cancel()
        #expect(await wait.value.error?.isCancellation == true)
        if hasOwner {
            let clock = clock
            try await eventually {
                if !clock.alarms(for: .owners).isEmpty { clock.advance(by: 1) }
                return request.trace.end != nil
            }
            #expect(request.trace.description.contains("was cancelled"))
            gate.open()
        } else {
            clock.advance(by: 5)
            gate.open()
            #expect(await request.ended().value != nil)
        }
    }

    @Test
    func aStreamThatIsReadGoesOn() async throws {
        let gate = Gate()
        server.on("/x", .pieces("one", .gate(gate), "two"))
        var screen: Screen? = Screen()
        let request = SimpleNetworking.get("/x").on(isolation: nil, success: { _ in }, owner: screen)
        var chunks = client.bytes(for: request).makeAsyncIterator()
        #expect(try await chunks.next() == Data("one".utf8))
        screen = nil
        clock.advance(by: 3)
        gate.open()
        #expect(try await chunks.next() == Data("two".utf8))
        #expect(try await chunks.next() == nil)
    }
}
