import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// A rate limit that a server reports with 403, as GitHub does.
@Suite(.timeLimit(.minutes(5)))
struct ForbiddenLimitTests {
    private let server = StubTransport()
    private let clock = VirtualClock()

    private func client(
        respectsRateLimits: Bool = true,
        attempts: Int = 1,
        statuses: HTTPStatuses? = nil
    ) -> SimpleNetworking {
        SimpleNetworking(over: server, clock: clock) {
            $0.traffic.respectsRateLimits = respectsRateLimits
            $0.retryPolicy = RetryPolicy(attempts: attempts, backoff: .constant(1))
            if let statuses { $0.retryPolicy.statuses = statuses }
        }
    }

    private func refuse(_ fields: HTTPHeaders) { server.on("*", .replies(.status(403, headers: fields), .json("{}"))) }

    /// Sends a request, and returns its status and the seconds that passed until it was sent for the last time.
    private func send(_ client: SimpleNetworking) async -> (status: Int?, seconds: TimeInterval) {
        let start = clock.now
        let ((outcome, _), _) = await clock.advancing(to: .retry) {
            await clock.advancing(to: .traffic) { await client.get("/").ended() }
        }
        return (outcome.value?.httpStatus ?? outcome.error?.httpStatus, clock.now - start)
    }

    @Test(arguments: [
        ["Retry-After": "3"], ["retry-after-ms": "3000"], ["Retry-After": "3", "X-RateLimit-Remaining": "4914"],
    ])
    func othersWaitAfterA403WithRetryAfter(fields: [String: String]) async {
        refuse(HTTPHeaders(fields))
        let client = client()
        #expect(await send(client) == (403, 0))
        #expect(await send(client) == (200, 3))
    }

    @Test
    func othersWaitAfterA403WithoutRemainingRequests() async {
        refuse(["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "3"])
        let client = client()
        #expect(await send(client) == (403, 0))
        #expect(await send(client) == (200, 3))
    }

    @Test(arguments: [["X-RateLimit-Remaining": "9", "X-RateLimit-Reset": "3"], [:], ["Retry-After": "soon"]])
    func nobodyWaitsAfterAnother403(fields: [String: String]) async {
        refuse(HTTPHeaders(fields))
        let client = client()
        #expect(await send(client) == (403, 0))
        #expect(await send(client) == (200, 0))
    }

    @Test
    func nobodyWaitsAfterA403IfTheServerIsNotHeeded() async {
        refuse(["Retry-After": "3"])
        let client = client(respectsRateLimits: false)
        #expect(await send(client) == (403, 0))
        #expect(await send(client) == (200, 0))
    }

    @Test
    func theWaitIsAtMostTheConfiguredOne() async {
        refuse(["Retry-After": "3600"])
        let client = client(attempts: 2)
        #expect(await send(client) == (403, 0))
        #expect(await send(client) == (200, 60))
    }

    @Test
    func aRetryPolicyRetriesA403WithRetryAfterAsA429() async {
        refuse(["Retry-After": "3"])
        #expect(await send(client(attempts: 2)) == (200, 3))
    }

    @Test
    func aRetryPolicyWithout429DoesNotRetryA403() async {
        refuse(["Retry-After": "3"])
        #expect(await send(client(attempts: 2, statuses: [503])) == (403, 0))
    }

    @Test(arguments: [["Retry-After": "3"], [:]], [false, true])
    func aRetryPolicyRetriesA403ThatItsStatusesContain(fields: [String: String], respectsRateLimits: Bool) async {
        refuse(HTTPHeaders(fields))
        let client = client(respectsRateLimits: respectsRateLimits, attempts: 2, statuses: [403])
        #expect(await send(client) == (200, fields.isEmpty ? 1 : 3))
    }

    @Test(arguments: [["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "3"], [:]])
    func aRetryPolicyDoesNotRetryA403WithoutRetryAfter(fields: [String: String]) async {
        refuse(HTTPHeaders(fields))
        #expect(await send(client(attempts: 2)) == (403, 0))
    }

    @Test
    func aRetryPolicyDoesNotRetryA403IfTheServerIsNotHeeded() async {
        refuse(["Retry-After": "3"])
        #expect(await send(client(respectsRateLimits: false, attempts: 2)) == (403, 0))
    }

    @Test(arguments: [true, false])
    func anEventStreamReconnectsAfterA403WithRetryAfterIfTheServerIsHeeded(respectsRateLimits: Bool) async throws {
        server.on("*", .replies(.status(403, headers: ["Retry-After": "30"]), .events("a"), .status(204)))
        let client = client(respectsRateLimits: respectsRateLimits)
        let (events, _) = await clock.advancing(to: .retry) {
            await client.events(for: SimpleNetworking.get("/news"), reconnects: true).all()
        }
        #expect(events.elements.map(\.data) == (respectsRateLimits ? ["a"] : []))
        #expect((events.error == nil) == respectsRateLimits)
    }
}
