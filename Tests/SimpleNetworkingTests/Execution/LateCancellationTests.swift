import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// `cancel()` where the user's code does not notice it, and between two executions.
@Suite(.timeLimit(.minutes(5)))
struct LateCancellationTests {
    private let server = StubTransport()
    private let clock = VirtualClock()
    private let gate = Gate()

    /// A client whose hooks wait without noticing a cancellation.
    private final class Slow: SimpleNetworking, @unchecked Sendable {
        enum Hook: CaseIterable, Sendable { case prepare, shouldRetry }

        let waiting = Locked<(hook: Hook, gate: Gate)?>(nil)

        private func wait(in hook: Hook) async {
            guard let waiting = waiting.withLock({ $0 }), waiting.hook == hook else { return }
            await waiting.gate.passUncancelled()
        }

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            await wait(in: .prepare)
        }

        override func shouldRetry(
            _ request: SimpleRequest,
            error: SimpleNetworkingError,
            attempt: Int
        ) async throws -> Bool {
            await wait(in: .shouldRetry)
            return true
        }
    }

    /// An authenticator whose credential comes late.
    private struct Late: Authenticator {
        let gate: Gate

        func credential() async throws -> String? {
            await gate.passUncancelled()
            return "token"
        }
        func sign(_ request: inout TransportRequest, with credential: String) {
            request.headers["Authorization"] = credential
        }
    }

    private final class Weak: @unchecked Sendable { weak var object: Execution? }

    /// Executes a request, cancels it when it waits at the gate, opens that, and waits until nothing runs any more.
    private func cancelLate(on client: SimpleNetworking) async throws -> RequestTrace {
        let pipeline = Weak()
        let request = client.post("/pay")
        pipeline.object = request.state.withLock { $0.execution }
        await gate.arrivals(1)
        request.cancel()
        #expect(await request.ended().error?.isCancellation == true)
        gate.open()
        let trace = request.trace
        // Requests that were sent would keep it, too.
        request.state.withLock { ($0.execution, $0.traced) = (nil, nil) }
        try await eventually { pipeline.object == nil }
        return trace
    }

    @Test(arguments: Slow.Hook.allCases)
    private func nothingIsSentAfterACancelThatAHookDoesNotNotice(hook: Slow.Hook) async throws {
        let sends = Recorder<String>()
        let client = Slow(over: Status500(sends: sends))
        client.waiting.withLock { $0 = (hook, gate) }
        _ = try await cancelLate(on: client)
        #expect(sends.elements.count == (hook == .prepare ? 0 : 1))
    }

    @Test
    func nothingIsSentAfterACancelThatAnAuthenticatorDoesNotNotice() async throws {
        let sends = Recorder<String>()
        let client = SimpleNetworking(over: Status500(sends: sends)) {
            $0.authenticator = Late(gate: gate)
        }
        _ = try await cancelLate(on: client)
        #expect(sends.elements == [])
    }

    /// Keeps no request, unlike `StubTransport`.
    private struct Status500: Transport {
        let sends: Recorder<String>

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            sends.add(request.url.path)
            return TransportResponse(httpStatus: 500)
        }
    }

    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server, clock: clock)
    }

    @Test(arguments: [true, false])
    func aRequestThatEndedDuringADelayCanBeExecuted(cancels: Bool) async throws {
        server.on("*", .status(503), times: 1).on("*", .json("{}"))
        let request = client.get("/x") {
            $0.on(httpStatus: 503) { request, _ in
                request.retry(after: 60)
                return false
            }
        }
        await clock.alarms(1, for: .retry)
        if cancels { request.cancel() } else { request.fail(Surprise("enough")) }
        #expect(await request.ended().error != nil)
        client.execute(request: request)
        try await eventually { server.requests.count == 2 }
        #expect(await request.ended().value != nil)
    }

    @Test
    func aCancelBetweenTheEndAndAQueuedRetryWins() async throws {
        server.on("*", .json("{}"))
        let monitor = HoldingMonitor(after: .completion)
        let client = SimpleNetworking(over: server) { $0.eventMonitors = [monitor] }
        let isFirst = Locked(true)
        let ends = Recorder<Int>()
        let request = client.post("/x") { request in
            request.on(completion: { [weak request] _ in
                if isFirst.withLock({ $0.take() }) { request?.retry() }
            })
        }
        try await eventually { monitor.isHolding }
        // The queued execution tells it, or this one.
        request.on(completion: { _ in ends.add(1) })
        request.cancel()
        monitor.go.signal()
        try await eventually { ends.elements.count == 1 }
        #expect(server.requests.count == 1)
    }

    @Test
    func aCancelledCopyLeavesTheRequestExecutable() async throws {
        server.on("*", .silence, times: 1).on("*", .json("{}"))
        let request = SimpleNetworking.get("/x")
        let copy = Task { try await client.send(request) }
        try await eventually { server.requests.count == 1 }
        request.cancel()
        await #expect(throws: CancellationError.self) { try await copy.value }
        #expect(await request.execute(on: client).ended().value != nil)
    }

    @Test
    func noTimerOfOwnersOutlivesTheExecution() async throws {
        let gate = Gate()
        server.on("*", StubResponse.json("{}").after(gate))
        let owner = Recorder<Int>()
        let request = client.get("/x") { $0.on(success: { _ in }, owner: owner) }
        await clock.alarms(1, for: .owners)
        gate.open()
        #expect(await request.ended().value != nil)
        #expect(clock.pending.isEmpty, "\(clock.pending)")
    }
}

extension Gate {
    /// Waits for the gate even when the task is cancelled.
    fileprivate func passUncancelled() async {
        await withCheckedContinuation { go in
            Task.detached {
                try? await self.wait()
                go.resume()
            }
        }
    }
}
