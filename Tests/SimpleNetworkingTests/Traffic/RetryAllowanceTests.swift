import Foundation
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// How many retries a client may make in all.
@Suite(.timeLimit(.minutes(5)))
struct RetryAllowanceTests {
    private let server = StubTransport().on("/x", .status(503))
    private let clock = VirtualClock()

    private func client(_ allowance: RetryAllowance?) -> SimpleNetworking {
        SimpleNetworking(over: server, clock: clock) {
            $0.retryPolicy = RetryPolicy(attempts: 3, backoff: .constant(0))
            $0.retryAllowance = allowance
        }
    }

    @Test
    func aServerThatFailsGetsATenthMoreRequestsInsteadOfThreeTimesAsMany() async {
        let limited = client(RetryAllowance(share: 0.1, perSecond: 1))
        for _ in 0..<300 { await limited.get("/x").ended() }
        // 44 is a tenth of 344, and 10 for ten seconds.
        #expect(server.requests.count == 344)
        let unlimited = client(nil)
        for _ in 0..<300 { await unlimited.get("/x").ended() }
        #expect(server.requests.count == 344 + 900)
    }

    @Test
    func aRefusedRetryEndsWithTheLastResultAndTheTraceSaysWhy() async throws {
        let request = client(RetryAllowance(share: 0, perSecond: 0.1)).get("/x")
        #expect(await request.ended().error?.httpStatus == 503)
        #expect(server.requests.count == 2)
        #expect(request.trace.description.contains("no retry: the client's retry allowance is used up"))
        try expectOrder(of: request, [.attempt(1), .retry, .attempt(2), .note(TrafficStep.retryRefused), .completion])
    }

    @Test
    func retriesAreAllowedAgainWhenTimeHasPassed() async {
        let api = client(RetryAllowance(share: 0, perSecond: 0.2))
        await api.get("/x").ended()
        await api.get("/x").ended()
        #expect(server.requests.count == 4)
        clock.advance(by: 10)
        await api.get("/x").ended()
        #expect(server.requests.count == 7)
    }

    @Test
    func retryByHandIsNeverRefused() async {
        let api = client(RetryAllowance(share: 0, perSecond: 0))
        let request = api.get("/x") {
            $0.on(
                httpStatus: 503,
                { request, response in
                    guard response.attempt < 3 else { return true }
                    request.retry()
                    return false
                }
            )
        }
        await request.ended()
        #expect(server.requests.count == 3)
    }

    @Test
    func retriesByTheHookCount() async {
        let allowance = RetryAllowance(share: 0, perSecond: 0.1)
        let api = Persistent(over: server, clock: clock) { $0.retryAllowance = allowance }
        await api.get("/x").ended()
        #expect(server.requests.count == 2)
    }

    @Test
    func responsesFromTheCacheAllowNoRetries() async {
        let kept = StubResponse.text("a", headers: ["Cache-Control": "max-age=60"])
        let cached = StubTransport().on("/kept", kept).on("/x", .status(503))
        let allowance = RetryAllowance(share: 0.5, perSecond: 0)
        let api = SimpleNetworking(over: cached, clock: clock) {
            $0.retryPolicy = RetryPolicy(attempts: 3, backoff: .constant(0))
            $0.retryAllowance = allowance
            $0.cache = ResponseCache()
        }
        for _ in 0..<20 { await api.get("/kept").ended() }
        await api.get("/x").ended()
        // Two were sent, which allow one retry; that one allows half of one more.
        #expect(cached.requests.count == 3)
    }
}
