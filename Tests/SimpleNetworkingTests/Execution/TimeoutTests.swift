import Foundation
import SimpleNetworking
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TimeoutTests {
    private let clock = VirtualClock()

    @Test
    func anAttemptEndsAtItsTimeout() async throws {
        let server = StubTransport().on("/x", .silence)
        let request = SimpleNetworking(over: server, clock: clock) { $0.timeout = 10 }.get("/x")
        await clock.alarms(1, for: .timeout)
        clock.advance(by: 9.999)
        #expect(request.trace.end == nil)
        clock.advance(by: 0.001)
        guard case .timedOut(.attempt(10), _)? = await request.ended().error else {
            throw try #require(request.trace.end.map { "\($0)" }).asError
        }
    }

    @Test
    func aRequestsOwnTimeoutWins() async throws {
        let client = SimpleNetworking(over: StubTransport().on("/x", .silence), clock: clock) {
            $0.timeout = 10
        }
        let request = client.get("/x") { $0.timeout(0.25) }
        await clock.alarms(1, for: .timeout)
        #expect(clock.alarms == [0.25])
        request.cancel()
    }

    @Test
    func theDeadlineEndsARequestThatTheUsersCodeHoldsBeforeItsFirstAttempt() async throws {
        let client = HoldingClient(over: StubTransport(), clock: clock)
        let task = Task { try await client.send(SimpleNetworking.get("/x").deadline(10)) }
        await clock.alarms(1, for: .deadline)
        clock.advance(by: 10)
        let error = await #expect(throws: SimpleNetworkingError.self) { try await task.value }
        guard case .timedOut(.deadline(10), let head)? = error else { throw error ?? .abandoned(nil, nil) }
        #expect(head.url.path == "/x")
    }

    @Test(arguments: [5, 60] as [TimeInterval])
    func theDeadlineThatASubclassSetsWins(seconds: Double) async throws {
        let client = DeadlineClient(over: StubTransport().on("*", .silence), clock: clock) {
            $0.deadline = 20
            $0.timeout = 1000
        }
        client.seconds.exchange(seconds)
        let request = client.get("/x")
        await clock.alarms(1, for: .timeout)
        clock.advance(by: seconds - 0.5)
        #expect(request.trace.end == nil)
        clock.advance(by: 0.5)
        guard case .timedOut(.deadline(seconds), _)? = await request.ended().error else {
            throw try #require(request.trace.end.map { "\($0)" }).asError
        }
    }

    @Test
    func theDelayOfARetryAfterTheEndMayBeLongerThanTheDeadline() async throws {
        let server = StubTransport().on("*", .status(503), times: 1).on("*", .status(200))
        let request = SimpleNetworking(over: server, clock: clock).get("/x") { $0.deadline(10) }
        #expect(await request.ended().error?.httpStatus == 503)
        request.retry(after: 60)
        await clock.alarms(1, for: .retry)
        clock.advance(by: 60)
        #expect(await request.ended().value?.httpStatus == 200)
    }

    @Test
    func theDeadlineCountsAttemptsAndDelaysTogether() async throws {
        let server = StubTransport().on("/x", .status(503), times: 2).on("/x", .silence)
        let request = SimpleNetworking(over: server, clock: clock).get("/x") {
            $0.deadline(10).on(
                httpStatus: 503,
                { request, _ in
                    request.retry(after: 4)
                    return false
                }
            )
        }
        for _ in 0..<2 {
            try await eventually { clock.alarms.first == 4 }
            clock.advance(by: 4)
        }
        try await eventually { server.requests.count == 3 }
        clock.advance(by: 2)
        guard case .timedOut(.deadline(10), _)? = await request.ended().error else {
            throw request.trace.description.asError
        }
        #expect(server.requests.count == 3)
        // The third transfer's timeout ends with its task.
        try await eventually { clock.alarms.isEmpty }
    }

    @Test
    func theDeadlineEndsARequestThatAHandlerTookOver() async throws {
        let isHandedOver = Gate()
        let kept = Locked<[SimpleRequest]>([])
        let request = SimpleNetworking(over: StubTransport().on("/x", .status(401)), clock: clock).get("/x") {
            $0.deadline(30).on(
                httpStatus: 401,
                { request, _ in
                    kept.withLock { $0.append(request) }
                    isHandedOver.open()
                    return false
                }
            )
        }
        try await isHandedOver.wait()
        clock.advance(by: 30)
        guard case .timedOut(.deadline(30), _)? = await request.ended().error else {
            throw request.trace.description.asError
        }
    }

    @Test
    func retryPolicyRetriesTransientFailuresAndHonorsRetryAfter() async throws {
        let server = StubTransport()
            .on("/x", .failure(NetworkFailure(.connectionLost)), times: 1)
            .on("/x", .status(503, headers: ["Retry-After": "7"]), times: 1)
            .on("/x", .json("{}"))
        let client = SimpleNetworking(over: server, clock: clock) { $0.timeout = 500 }
        let request = client.get("/x") { $0.retry(RetryPolicy(attempts: 3)) }
        try await eventually { clock.alarms.first.map { $0 <= 1 } ?? false }
        // No further: the next event may come before the end of a longer advance.
        clock.advance(by: clock.alarms[0])
        try await eventually { clock.alarms == [7] }
        clock.advance(by: 7)
        #expect(await request.ended().value?.attempt == 3)
        #expect(request.trace.attempts == 3)
        try expectOrder(of: request, [.retry, .retry, .completion])
    }

    /// The wait would be in vain, and its end would hide what the server said.
    @Test(arguments: [("29", 2), ("30", 1), ("31", 1)])
    func noRetryIsWaitedForThatTheDeadlineWouldForestall(delay: String, attempts: Int) async throws {
        let server = StubTransport().on("/x", .status(429, headers: ["Retry-After": delay]), times: 1).on(
            "/x",
            .json("{}")
        )
        let client = SimpleNetworking(over: server, clock: clock) { $0.timeout = 500 }
        let request = client.get("/x") { $0.deadline(30).retry(RetryPolicy(attempts: 3)).on(error: { _ in }) }
        if attempts == 2 {
            try await eventually { clock.alarms.first == 29 }
            clock.advance(by: 29)
        }
        let end = await request.ended()
        #expect(request.trace.attempts == attempts)
        #expect((end.error?.response ?? end.value)?.httpStatus == (attempts == 2 ? 200 : 429))
    }

    @Test
    func everyPolicyRetryUsesTheClientsCurrentHeaders() async throws {
        let server = StubTransport().on("/x", .status(503, headers: ["Retry-After": "1"]), times: 1).on(
            "/x",
            .json("{}")
        )
        let client = SimpleNetworking(over: server, clock: clock) { $0.timeout = 500 }
        client.headers["X-Turn"] = "one"
        let request = client.get("/x") { $0.retry(RetryPolicy(attempts: 2)) }
        try await eventually { clock.alarms == [1] }
        client.headers["X-Turn"] = "two"
        clock.advance(by: 1)
        await request.ended()
        #expect(server.requests.map { $0.headers["X-Turn"] } == ["one", "two"])
    }
}

extension String {
    /// Makes an error of a text, for a test that shows what it saw instead.
    var asError: any Error { Unexpected(description: self) }
}

private struct Unexpected: Error, CustomStringConvertible {
    let description: String
}

/// Never passes a request on.
private final class HoldingClient: SimpleNetworking, @unchecked Sendable {
    private let held = Recorder<SimpleRequest>()

    override func execute(request: SimpleRequest) { held.add(request) }
}

/// Sets the deadline of each request.
private final class DeadlineClient: SimpleNetworking, @unchecked Sendable {
    let seconds = Locked<TimeInterval>(0)

    override func execute(request: SimpleRequest) {
        super.execute(request: request.deadline(seconds.withLock { $0 }))
    }
}
