import Foundation
import SimpleNetworking
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

/// What `false` and `stop()` mean.
@Suite(.timeLimit(.minutes(5)))
struct StopTests {
    private let client = SimpleNetworking(over: StubTransport().on("*", .status(404)))

    @Test
    func falseEndsTheExecutionWithoutTellingSuccessAndErrorHandlers() async throws {
        let result = try await heard { tell in
            client.get("/x") {
                $0.on(isolation: nil, httpStatus: 404, { _, _ in false })
                    .on(isolation: nil, httpStatus: 404) { _, _ in
                        Issue.record("the first handler stopped")
                        return true
                    }
                    .on(isolation: nil, success: { _ in Issue.record("it is no success") })
                    .on(isolation: nil, error: { error in Issue.record(error) })
                    .on(isolation: nil, completion: { tell($0) })
            }
        }
        guard case .failure(.stopped(let head, let response)) = result else { throw "\(result)".asError }
        #expect(head?.url.path == "/x" && response?.httpStatus == 404)
    }

    @Test
    func falseAfterNoResponseStopsWithoutAResponse() async throws {
        let client = SimpleNetworking(over: StubTransport().on("*", .failure(NetworkFailure(.cannotConnect))))
        let request = client.get("/x") { $0.on(isolation: nil, noResponse: { _, _ in false }) }
        guard case .stopped(let head, nil)? = await request.ended().error else { throw "not stopped".asError }
        #expect(head?.url.path == "/x")
    }

    @Test(arguments: [true, false])
    func anAwaitingCallerGetsStopped(isHeldByCaller: Bool) async throws {
        let request = SimpleNetworking.get("/x")
        request.on(
            httpStatus: 404,
            { _, _ in
                // The caller's variable is not the request that the handler was given.
                if isHeldByCaller { _ = request }
                return false
            }
        )
        await #expect { try await client.send(request) } throws: { Self.isStopped($0) }
    }

    @Test(arguments: [true, false])
    func stopTellsCompletionHandlersOnly(isAtOnce: Bool) async throws {
        let kept = Locked<[SimpleRequest]>([])
        let request = SimpleNetworking.get("/x")
            .on(isolation: nil, success: { _ in Issue.record("it is no success") })
            .on(isolation: nil, error: { error in Issue.record(error) })
            .on(isolation: nil, httpStatus: 404) { request, _ in
                if isAtOnce { request.stop() } else { kept.withLock { $0.append(request) } }
                return isAtOnce
            }
        let result = try await heard { tell in
            request.on(isolation: nil, completion: { tell($0) }).execute(on: client)
            Task {
                try await eventually { isAtOnce || kept.withLock { !$0.isEmpty } }
                for request in kept.withLock({ $0 }) { request.stop() }
            }
        }
        guard case .failure(.stopped(let head, let response)) = result else { throw "\(result)".asError }
        #expect(head?.url.path == "/x" && response?.httpStatus == 404)
        try expectOrder(of: request, [.status(404), .end, .completion])
        request.on(isolation: nil, error: { error in Issue.record(error) })
    }

    @Test
    func retryInsideTheHandlerWinsOverFalse() async throws {
        let server = StubTransport().on("/x", .status(401), times: 1).on("/x", .json("{}"))
        let client = SimpleNetworking(over: server)
        let request = SimpleNetworking.get("/x")
        request.on(
            isolation: nil,
            httpStatus: 401,
            { _, _ in
                request.retry()
                return false
            }
        )
        #expect(await request.execute(on: client).ended().value?.attempt == 2)
    }

    @Test
    func retryOnTheCallersVariableAfterTheStopStartsANewExecution() async throws {
        let server = StubTransport().on("/x", .status(401), times: 1).on("/x", .json("{}"))
        let client = SimpleNetworking(over: server)
        let request = client.get("/x") { $0.on(isolation: nil, httpStatus: 401, { _, _ in false }) }
        #expect(Self.isStopped(try #require(await request.ended().error)))
        request.retry()
        #expect(await request.ended().value?.attempt == 2)
    }

    @Test
    func aStoppedRequestMayBeExecutedAgainAndThenFail() async throws {
        let failures = Locked(0)
        let isFirst = Locked(true)
        let request = SimpleNetworking.get("/x")
            .on(isolation: nil, error: { _ in failures.withLock { $0 += 1 } })
            .on(isolation: nil, httpStatus: 404) { request, _ in !isFirst.withLock { $0 } }
        #expect(Self.isStopped(try #require(await request.execute(on: client).ended().error)))
        isFirst.withLock { $0 = false }
        #expect(await request.execute(on: client).ended().error?.httpStatus == 404)
        #expect(failures.withLock { $0 } == 1)
    }

    @Test
    func aStoppedRequestIsNoUnhandledError() async throws {
        let lines = Locked<[String]>([])
        let client = SimpleNetworking(host: "api.example.com") {
            $0.transport = StubTransport().on("*", .status(401))
            $0.logger = RequestLogger(level: .warning) { _, line in lines.withLock { $0.append(line) } }
        }
        let request = client.get("/x") { $0.on(isolation: nil, httpStatus: 401, { _, _ in false }) }
        try await eventually { request.trace.end != nil }
        // After anything that would have been logged.
        await request.ended()
        #expect(lines.withLock { $0 } == [])
    }

    private static func isStopped(_ error: any Error) -> Bool {
        if case SimpleNetworkingError.stopped = error { true } else { false }
    }
}
