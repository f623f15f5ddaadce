import Foundation
import SimpleNetworkingCore
import SimpleNetworkingTesting
import Testing

/// Time that passes only when a test says so, by what it is for.
@Suite(.timeLimit(.minutes(5)))
struct VirtualClockTests {
    private let clock = VirtualClock()

    @Test
    func timePassesToEachRetryAndNoFurther() async throws {
        let server = StubTransport().on("/x", .replies(.status(503), .status(503), .status(204)))
        let request = SimpleNetworking(over: server, clock: clock).get("/x") {
            $0.deadline(1000).on(
                httpStatus: 503,
                { request, _ in
                    request.retry(after: 40)
                    return false
                }
            )
        }
        for time in [40.0, 80] {
            try await clock.advance(to: .retry)
            #expect(clock.now == time)
        }
        #expect(await request.ended().value?.httpStatus == 204)
        #expect(server.requests.count == 3)
    }

    @Test
    func delayOfARetryPolicyIsARetryToo() async throws {
        let server = StubTransport().on("/x", .replies(.failure(.connectionLost), .status(204)))
        let policy = RetryPolicy(attempts: 2, backoff: .constant(7))
        let request = SimpleNetworking(over: server, clock: clock) { $0.retryPolicy = policy }.get("/x")
        try await clock.advance(to: .retry)
        #expect(await request.ended().value?.httpStatus == 204)
        #expect(clock.now == 7)
    }

    @Test
    func limitsHaveLabelsAndAreNotCountedByAccident() async throws {
        let server = StubTransport().on("/x", .silence)
        let request = SimpleNetworking(over: server, clock: clock).get("/x") { $0.timeout(10).deadline(20) }
        await clock.alarms(1, for: .timeout)
        await clock.alarms(1, for: .deadline)
        #expect(clock.pending == ["timeout in 10 s", "deadline in 20 s"])
        #expect(clock.alarms(for: .deadline) == [20])
        let others = Task { await clock.alarms(1) }
        _ = clock.schedule(after: 5) {}
        await others.value
        #expect(clock.alarms == [5, 10, 20])
        request.cancel()
    }

    @Test
    func shorterTimeoutEndsTheRequestOnTheWayToAnotherAlarm() async throws {
        let server = StubTransport(clock: clock).on("/x", .status(204).after(30))
        let request = SimpleNetworking(over: server, clock: clock).get("/x") { $0.timeout(10) }
        // It is set by another thread than the response's.
        await clock.alarms(1, for: .timeout)
        try await clock.advance(to: .response)
        guard case .timedOut(.attempt(10), _)? = await request.ended().error else { throw "not in time".asError }
        #expect(clock.now == 30)
    }

    @Test
    func waitForAnAlarmEndsWithItsTask() async throws {
        let waiting = Task { try await clock.advance(to: .retry) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
