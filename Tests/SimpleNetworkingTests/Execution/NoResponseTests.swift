import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Handlers for attempts without a response.
@Suite(.timeLimit(.minutes(5)))
struct NoResponseTests {
    private let clock = VirtualClock()

    private static let offline = StubResponse.failure(NetworkFailure(.connectionLost))

    @Test
    func noResponseHandlersRunInOrderBeforeErrorHandlers() async throws {
        let request = SimpleNetworking(over: StubTransport().on("/x", Self.offline), clock: clock).get("/x") {
            $0.on(error: { error in #expect(error.response == nil) })
                .on(httpStatus: 100...599, { _, _ in false })
                .on(noResponse: { _, _ in true })
                .on(noResponse: { request, error in
                    guard case .networkingError(let failure, let head) = error else { return false }
                    return failure.kind == .connectionLost && head.url.path == "/x" && request.attempt == 1
                })
        }
        guard case .networkingError? = await request.ended().error else { throw "another end".asError }
        try expectOrder(of: request, [.noResponse, .noResponse, .error, .completion])
    }

    @Test
    func noResponseHandlerMayRetryLater() async throws {
        let server = StubTransport().on("/x", Self.offline, times: 1).on("/x", .json("{}"))
        let request = SimpleNetworking(over: server, clock: clock).get("/x") {
            $0.on(noResponse: { request, _ in
                request.retry(after: 5)
                return false
            })
            .on(noResponse: { _, _ in
                Issue.record("the request was taken over")
                return true
            })
        }
        try await eventually { clock.alarms.contains(5) }
        clock.advance(by: 5)
        #expect(await request.ended().value?.attempt == 2)
        try expectOrder(of: request, [.noResponse, .retry, .completion])
    }

    @Test
    func noResponseHandlerThatAlwaysRetriesEndsWithTheLastError() async throws {
        let server = StubTransport().on("/x", Self.offline)
        let request = SimpleNetworking(over: server, clock: clock) { $0.maxRetries = 2 }.get("/x") {
            $0.on(noResponse: { request, _ in
                request.retry()
                return false
            })
        }
        guard case .networkingError? = await request.ended().error else { throw "another end".asError }
        #expect(server.requests.count == 3)
        try expectOrder(of: request, [.noResponse, .retry, .noResponse, .retry, .noResponse, .limit, .completion])
    }

    @Test
    func noResponseHandlerThatReturnsFalseStops() async throws {
        let client = SimpleNetworking(over: StubTransport().on("/x", Self.offline), clock: clock)
        let request = SimpleNetworking.get("/x").on(noResponse: { _, _ in false })
        let error = await #expect(throws: SimpleNetworkingError.self) { try await client.send(request) }
        guard case .stopped(let head, nil)? = error else { throw "\(String(describing: error))".asError }
        #expect(head?.url.path == "/x")
    }

    @Test
    func noResponseHandlerMaySucceedWithItsOwnResponse() async throws {
        let other = SimpleNetworking(over: StubTransport().on("/x", .text("stored")), clock: clock)
        let stored = try await other.send(SimpleNetworking.get("/x"))
        let request = SimpleNetworking(over: StubTransport().on("/x", Self.offline), clock: clock).get("/x") {
            $0.on(noResponse: { request, _ in
                request.succeed(with: stored)
                return false
            })
        }
        #expect(await request.ended().value?.text == "stored")
    }

    @Test
    func noResponseHandlersRunForATimeoutButNotForADeadline() async throws {
        let server = StubTransport().on("/x", .silence)
        let late = SimpleNetworking(over: server, clock: clock) { $0.timeout = 10 }.get("/x") {
            $0.on(noResponse: { _, _ in true })
        }
        await clock.alarms(1, for: .timeout)
        clock.advance(by: 10)
        await late.ended()
        try expectOrder(of: late, [.noResponse, .completion])
        let dead = SimpleNetworking(over: server, clock: clock).get("/x") {
            $0.deadline(10).on(noResponse: { _, _ in true })
        }
        try await eventually { clock.alarms.contains(10) }
        clock.advance(by: 10)
        await dead.ended()
        try expectOrder(of: dead, [.completion])
    }

    @Test
    func noResponseHandlersDoNotRunForRequestsWithAResponseCancelledOrUnsent() async throws {
        let server = StubTransport().on("/x", .status(500)).on("/slow", .silence)
        let client = SimpleNetworking(over: server, clock: clock)
        let add: (SimpleRequest) -> SimpleRequest = { $0.on(noResponse: { _, _ in true }) }
        let slow = client.get("/slow", add)
        try await eventually { server.requests.count == 1 }
        slow.cancel()
        let requests = [client.get("/x", add), client.get("/../x", add), slow]
        for request in requests {
            await request.ended()
            try expectOrder(of: request, [.completion])
        }
    }

    @Test
    func noResponseHandlersRunAfterTheRetryPolicysLastAttempt() async throws {
        let server = StubTransport().on("/x", Self.offline)
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.retryPolicy = RetryPolicy(attempts: 3, backoff: .constant(0))
        }
        let request = client.get("/x") { $0.on(noResponse: { _, _ in true }) }
        await request.ended()
        #expect(server.requests.count == 3)
        try expectOrder(of: request, [.retry, .retry, .noResponse, .completion])
    }

    @Test
    func noResponseHandlerOfAReleasedOwnerIsSkipped() async throws {
        final class Screen {}
        var screen: Screen? = Screen()
        let request = SimpleNetworking.get("/x")
            .on(noResponse: { _, _ in false }, owner: screen)
            .on(isolation: nil, completion: { _ in })
        screen = nil
        request.execute(on: SimpleNetworking(over: StubTransport().on("/x", Self.offline), clock: clock))
        await request.ended()
        try expectOrder(of: request, [.completion, .completion])
    }

    @Test
    @MainActor
    func noResponseHandlersRunWhereTheyWereWritten() async throws {
        let client = SimpleNetworking(over: StubTransport().on("/x", Self.offline), clock: clock)
        try await heard { done in
            client.get("/x") {
                $0.on(noResponse: { _, _ in
                    MainActor.assertIsolated()
                    done(())
                    return true
                })
            }
        }
    }
}
