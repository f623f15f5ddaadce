import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AbandonedTests {
    private let client = SimpleNetworking(host: "api.example.com") {
        $0.transport = StubTransport().on("*", .status(401))
        $0.logger = .quiet
    }

    @Test
    func theErrorHandlersHearOfARequestThatNobodyCanRetry() async throws {
        let (error, response) = try await heard { tell in
            client.get("/x") {
                $0.on(httpStatus: 401, { _, _ in false })
                    .on(isolation: nil, error: { tell(($0, $1)) })
            }
        }
        guard case .abandoned = error else { throw error }
        #expect(response?.httpStatus == 401)
        #expect(error.description.contains("https://api.example.com/x"))
    }

    @Test
    func anAwaitEndsThoughTheCallerHoldsTheRequest() async throws {
        let request = SimpleNetworking.get("/x").on(httpStatus: 401, { _, _ in false })
        await #expect { try await client.send(request) } throws: { Self.isAbandoned($0) }
        withExtendedLifetime(request) {}
    }

    @Test
    func anAwaitEndsThoughAHandlerHoldsTheRequest() async throws {
        let request = SimpleNetworking.get("/x")
        request.on(
            httpStatus: 401,
            { _, _ in
                _ = request
                return false
            }
        )
        await #expect { try await client.send(request) } throws: { Self.isAbandoned($0) }
    }

    @Test
    func anAwaitEndsWhenTheClosureThatWouldRetryIsDropped() async throws {
        let kept = Mutexed<[() -> Void]>([])
        let isKept = Gate()
        let request = SimpleNetworking.get("/x").on(
            httpStatus: 401,
            { request, _ in
                kept.withLock { $0.append { request.retry() } }
                isKept.open()
                return false
            }
        )
        let task = Task { try await client.send(request) }
        try await isKept.wait()
        kept.withLock { $0.removeAll() }
        await #expect { try await task.value } throws: { Self.isAbandoned($0) }
    }

    @Test
    func anAwaitEndsWhenASubclassSwallowsTheRequest() async throws {
        final class Swallowing: SimpleNetworking, @unchecked Sendable {
            override func execute(request: SimpleRequest) {}
        }
        let client = Swallowing(host: "api.example.com")
        await #expect { try await client.send(SimpleNetworking.get("/x")) } throws: { Self.isAbandoned($0) }
    }

    @Test
    func aRequestThatTheCallerHoldsMayBeRetriedLater() async throws {
        let server = StubTransport().on("/x", .status(401), times: 1).on("/x", .json("{}"))
        let client = SimpleNetworking(host: "api.example.com") { $0.transport = server }
        let isHandedOver = Gate()
        let request = client.get("/x") {
            $0.on(
                httpStatus: 401,
                { _, _ in
                    isHandedOver.open()
                    return false
                }
            )
        }
        try await isHandedOver.wait()
        request.retry()
        #expect(await request.ended().value?.attempt == 2)
    }

    @Test
    func aRequestWhoseKeeperForgetsItEndsThoughTheCallerHoldsIt() async throws {
        let kept = Mutexed<[SimpleRequest]>([])
        let isKept = Gate()
        let queue = DispatchQueue(label: "callbacks")
        let request = client.get("/x") {
            $0.callbackQueue(queue).on(
                httpStatus: 401,
                { request, _ in
                    kept.withLock { $0.append(request) }
                    isKept.open()
                    return false
                }
            )
        }
        try await isKept.wait()
        // Not before the handler has returned: what is forgotten by then was never kept.
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(kept.withLock { $0 } == [request])
        kept.withLock { $0.removeAll() }
        #expect(Self.isAbandoned(try #require(await request.ended().error)))
    }

    @Test
    func aRequestThatNobodyKeptIsAbandonedAfterAWhileThoughTheCallerHoldsIt() async throws {
        let clock = VirtualClock()
        let client = SimpleNetworking(host: "api.example.com") {
            $0.transport = StubTransport().on("*", .status(401))
            $0.clock = clock
            $0.takeoverTimeout = 20
        }
        let request = client.get("/x") { $0.on(httpStatus: 401, { _, _ in false }) }
        try await eventually { clock.alarms == [20] }
        clock.advance(by: 20)
        #expect(Self.isAbandoned(try #require(await request.ended().error)))
    }

    @Test
    func whoTookTheRequestOverMayFailIt() async throws {
        struct Refusal: Error {}
        let request = client.get("/x") {
            $0.on(
                httpStatus: 401,
                { request, _ in
                    request.fail(Refusal())
                    request.fail(CancellationError())
                    return false
                }
            )
        }
        guard case .failed(is Refusal, let head, _)? = await request.ended().error else { throw Refusal() }
        #expect(head?.url.path == "/x")
        try expectOrder(of: request, [.status(401), .end, .completion])
    }

    @Test(arguments: [true, false])
    func whoAbandonsTheRequestTellsOnlyCompletionHandlersAndWhoeverAwaits(isAtOnce: Bool) async throws {
        let kept = Mutexed<[SimpleRequest]>([])
        let request = SimpleNetworking.get("/x")
            .on(isolation: nil, success: { _ in Issue.record("it is no success") })
            .on(isolation: nil, error: { error in Issue.record(error) })
            .on(isolation: nil, httpStatus: 401) { request, _ in
                if isAtOnce { request.abandon() } else { kept.withLock { $0.append(request) } }
                return false
            }
        let result = try await heard { tell in
            request.on(isolation: nil, completion: { tell($0) }).execute(on: client)
            Task {
                try await eventually { isAtOnce || kept.withLock { !$0.isEmpty } }
                for request in kept.withLock({ $0 }) { request.abandon() }
            }
        }
        guard case .failure(.abandoned(let head, let response)) = result else { throw "\(result)".asError }
        #expect(head?.url.path == "/x" && response?.httpStatus == 401)
        try expectOrder(of: request, [.status(401), .end, .completion])
        request.on(isolation: nil, error: { error in Issue.record(error) })
    }

    @Test
    func anAwaitEndsWhenTheRequestIsAbandoned() async throws {
        let request = SimpleNetworking.get("/x").on(isolation: nil, httpStatus: 401) { request, _ in
            request.abandon()
            return false
        }
        await #expect { try await client.send(request) } throws: { Self.isAbandoned($0) }
    }

    @Test
    func whatWasAbandonedMayBeExecutedAgainAndThenFail() async throws {
        let failures = Mutexed(0)
        let isFirst = Mutexed(true)
        let request = SimpleNetworking.get("/x")
            .on(isolation: nil, error: { _ in failures.withLock { $0 += 1 } })
            .on(isolation: nil, httpStatus: 401) { request, _ in
                if isFirst.withLock({ $0 }) { request.abandon() }
                return true
            }
        #expect(Self.isAbandoned(try #require(await request.execute(on: client).ended().error)))
        isFirst.withLock { $0 = false }
        #expect(await request.execute(on: client).ended().error?.httpStatus == 401)
        #expect(failures.withLock { $0 } == 1)
    }

    @Test
    func anAbandonedRequestIsNoFailureThatNobodyHeardOf() async throws {
        let lines = Mutexed<[String]>([])
        let client = SimpleNetworking(host: "api.example.com") {
            $0.transport = StubTransport().on("*", .status(401))
            $0.logger = RequestLogger(level: .warning) { _, line in lines.withLock { $0.append(line) } }
        }
        let request = client.get("/x") {
            $0.on(isolation: nil, httpStatus: 401) { request, _ in
                request.abandon()
                return false
            }
        }
        try await eventually { request.trace.end != nil }
        // Behind whatever would have been logged.
        await request.ended()
        #expect(lines.withLock { $0 } == [])
    }

    private static func isAbandoned(_ error: any Error) -> Bool {
        if case SimpleNetworkingError.abandoned = error { true } else { false }
    }
}
