import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Requests that are sent again when the queue is full.
@Suite(.timeLimit(.minutes(5)))
struct FullQueueTests {
    /// A 401 makes the client refresh its token, and a 503 a retry.
    @Test(arguments: [401, 503])
    func aRequestThatWasSentOnceIsNotRefusedByAFullQueue(status: Int) async throws {
        let (first, second, refresh, count, clock) = (Gate(), Gate(), Gate(), Locked(0), VirtualClock())
        let server = StubTransport().on("/a") { _ in
            guard count.next() == 1 else { return .json("{}") }
            try await first.wait()
            return .status(status)
        }
        .on("/b", .json("{}").after(second)).on("/c", .json("{}"))
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.authenticator = BearerAuthenticator(token: Secret("old")) { _ in
                try await refresh.wait()
                return Secret("new")
            }
            $0.traffic.inFlight = 1
            $0.traffic.maxWaiting = 1
            $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(1))
        }
        let request = client.get("/a")
        await first.arrivals(1)
        let next = client.get("/b") { $0.unauthenticated() }
        try await eventually { next.trace.description.contains("waits for its turn") }
        first.open()
        await second.arrivals(1)
        // The queue is full.
        let other = client.get("/c") { $0.unauthenticated() }
        try await eventually { other.trace.description.contains("waits for its turn") }
        if status == 401 {
            await refresh.arrivals(1)
            refresh.open()
        } else {
            await clock.alarms(1, for: .retry)
            clock.advance(by: 1)
        }
        try await eventually { request.trace.description.contains("waits for its turn") || request.trace.end != nil }
        second.open()
        #expect(await request.ended().value != nil, "\(request.trace)")
        for request in [next, other] { #expect(await request.ended().value != nil) }
    }
}
