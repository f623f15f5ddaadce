import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// What an execution's end means for the next execution of the same request, and for those who observe it.
@Suite(.timeLimit(.minutes(5)))
struct NewerExecutionTests {
    /// Blocks the thread that reports the first failure.
    private final class SlowMonitor: EventMonitor, @unchecked Sendable {
        let release = DispatchSemaphore(value: 0)
        let isBlocked = Locked(false)

        func observe(_ event: RequestEvent, of request: ObservedRequest) {
            guard case .ended(.failure) = event.kind, !isBlocked.exchange(true) else { return }
            release.wait()
        }
    }

    @Test
    func cancellingDoesNotEndAnExecutionThatWasRequestedLater() async throws {
        let monitor = SlowMonitor()
        let second = Gate()
        let server = StubTransport().on("/a") { request in
            if request.headers["X-Second"] == nil { return .status(503) }
            try await second.wait()
            return .json("{}")
        }
        let client = SimpleNetworking(over: server) { $0.eventMonitors = [monitor] }
        let outcomes = Recorder<Bool>()
        let (isInHandler, mayReturn) = (Locked(false), DispatchSemaphore(value: 0))
        let request = SimpleNetworking.get("/a")
        request.on(httpStatus: 503) { _, _ in
            _ = isInHandler.exchange(true)
            mayReturn.wait()
            return true
        }
        .on(completion: { [weak request] outcome in
            outcomes.add(outcome.value != nil)
            if outcomes.elements.count == 1 { request?.header("X-Second", "1").execute(on: client) }
        })
        request.execute(on: client)
        try await eventually { isInHandler.withLock { $0 } }
        Thread.detachNewThread { request.cancel() }
        try await eventually { monitor.isBlocked.withLock { $0 } }
        mayReturn.signal()
        await second.arrivals(1)
        monitor.release.signal()
        second.open()
        try await eventually { outcomes.elements.count == 2 }
        #expect(outcomes.elements == [false, true])
    }

    @Test
    func progressOfARequestThatHasEndedIsThatOfItsNextExecution() async throws {
        let server = StubTransport().on("/f", .pieces("one", "two", "three"))
        let client = SimpleNetworking(over: server)
        let request = SimpleNetworking.get("/f")
        request.execute(on: client)
        #expect(await request.ended().value != nil)
        let progress = request.progressUpdates()
        request.execute(on: client)
        var last: Int?
        for await update in progress { last = update.bytesReceived }
        #expect(last == 11)
    }

    // MARK: Observers

    private final class Seen: EventMonitor, Sendable {
        let events = Recorder<String>()

        func observe(_ event: RequestEvent, of request: ObservedRequest) { events.add("\(event)") }
    }

    private final class Holding: SimpleNetworking, @unchecked Sendable {
        let kept = Recorder<SimpleRequest>()

        override func execute(request: SimpleRequest) { kept.add(request) }
    }

    @Test(arguments: ["cancelled before", "deadline in execute(request:)", "cancelled in execute(request:)"])
    func theEndOfARequestThatNeverBeganIsObserved(way: String) async throws {
        let (clock, seen, lines) = (VirtualClock(), Seen(), Recorder<String>())
        func set(_ configuration: inout SimpleNetworking.Configuration) {
            configuration.eventMonitors = [seen]
            configuration.logger = lines.logger(.info)
        }
        let server = StubTransport().on("/a", .json("{}"))
        let request = SimpleNetworking.get("/a").deadline(10)
        if way == "cancelled before" {
            request.cancel()
            request.execute(on: SimpleNetworking(over: server, clock: clock, set))
            _ = await request.ended()
        } else {
            let client = Holding(over: server, clock: clock, set)
            request.execute(on: client)
            if way == "cancelled in execute(request:)" { request.cancel() } else { clock.advance(by: 11) }
            _ = await request.ended()
            withExtendedLifetime(client) {}
        }
        #expect(seen.events.elements.count { $0.contains("ended") } == 1)
        #expect(lines.elements.contains { $0.contains("ended") })
        #expect(server.requests.isEmpty)
    }
}
