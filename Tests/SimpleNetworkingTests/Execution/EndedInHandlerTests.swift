import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// A status handler sends its request again though the deadline has passed: while the handler runs, and after the end.
@Suite(.timeLimit(.minutes(5)))
struct EndedInHandlerTests {
    /// The ways to send the request of a handler again.
    enum Call: CaseIterable {
        case retry, retryLater, retryOnClient, executeOnClient, executeByClient, retryElsewhere

        func send(_ request: SimpleRequest, on client: SimpleNetworking) {
            switch self {
            case .retry: request.retry()
            case .retryLater: request.retry(after: 1)
            case .retryOnClient: request.retry(on: client)
            case .executeOnClient: request.execute(on: client)
            case .executeByClient: client.execute(request: request)
            case .retryElsewhere:
                let hasReturned = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    request.retry()
                    hasReturned.signal()
                }
                hasReturned.wait()
            }
        }
    }

    private let server = StubTransport()
    private let clock = VirtualClock()
    private let ends = Recorder<Int>()
    private let kept = Locked<SimpleRequest?>(nil)
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server, clock: clock) { $0.deadline = 10 }
    }

    /// A request that counts its ends.
    private func counted() -> SimpleRequest {
        SimpleNetworking.get("/x").on(isolation: nil, completion: { [ends] _ in ends.add(1) })
    }

    private func expectOneEnd(of request: SimpleRequest) async throws {
        // Handlers that are added after the next execution was requested wait for its end.
        for _ in 0..<2 { await request.ended(timeout: 30) }
        #expect(ends.elements.count == 1)
        #expect(server.requests.count == 1)
        #expect(request.trace.events.contains { if case .ignored = $0.kind { true } else { false } })
    }

    @Test(arguments: Call.allCases)
    func aStatusHandlerThatOutlastsTheDeadlineSendsNothing(call: Call) async throws {
        server.on("*", .status(401))
        let request = counted()
            .on(isolation: nil, httpStatus: 401) { [clock] request, _ in
                clock.advance(by: 10)
                call.send(request, on: client)
                return false
            }
            .execute(on: client)
        try await expectOneEnd(of: request)
        guard case .timedOut(.deadline(10), _)? = await request.ended().error else {
            throw request.trace.description.asError
        }
    }

    @Test(arguments: [{ $0.stop() }, { $0.cancel() }] as [@Sendable (SimpleRequest) -> Void])
    func aStatusHandlerSendsNothingThatWasEndedMeanwhile(end: @escaping @Sendable (SimpleRequest) -> Void) async throws
    {
        server.on("*", .status(401))
        let request = counted()
        request
            .on(isolation: nil, httpStatus: 401) { [weak request] handled, _ in
                request.map(end)
                client.execute(request: handled)
                return false
            }
            .execute(on: client)
        try await expectOneEnd(of: request)
    }

    @Test(arguments: [{ $0.stop() }, { $0.cancel() }] as [@Sendable (SimpleRequest) -> Void])
    func aStatusHandlerThatEndsItsRequestExecutesItAfresh(end: @escaping @Sendable (SimpleRequest) -> Void) async {
        server.on("*", .status(401), times: 1).on("*", .json("{}"))
        let request = counted()
            .on(isolation: nil, httpStatus: 401) { request, _ in
                end(request)
                request.execute(on: client)
                return false
            }
            .execute(on: client)
        for _ in 0..<2 { await request.ended(timeout: 30) }
        #expect(await request.ended().value?.attempt == 1)
        #expect(ends.elements.count == 2)
    }

    @Test
    func aHandlerForNoResponseThatOutlastsTheDeadlineSendsNothing() async throws {
        server.on("*", .failure(NetworkFailure(.connectionLost)))
        let request = counted()
            .on(
                isolation: nil,
                noResponse: { [clock] request, _ in
                    clock.advance(by: 10)
                    request.retry()
                    return false
                }
            )
            .execute(on: client)
        try await expectOneEnd(of: request)
    }

    /// It may be a button's that the user sees beside the error.
    @Test
    func aStatusHandlersObjectRetriesAfterTheEndThatItsDeadlineBrought() async throws {
        server.on("*", .status(401), times: 1).on("*", .json("{}"))
        let request = counted()
            .on(isolation: nil, httpStatus: 401) { [kept] request, _ in
                kept.withLock { $0 = request }
                return false
            }
            .execute(on: client)
        try await eventually { request.isTakenOver }
        clock.advance(by: 10)
        guard case .timedOut(.deadline(10), _)? = await request.ended().error else {
            throw request.trace.description.asError
        }
        kept.withLock { $0.take() }.map { Call.retryElsewhere.send($0, on: client) }
        #expect(await request.ended().value?.attempt == 2)
        #expect(ends.elements.count == 2)
    }

    /// Tells when somebody looks at it, once.
    private struct WatchedClock: RequestClock {
        let clock: VirtualClock
        let onLook = Locked<(@Sendable () -> Void)?>(nil)

        var now: TimeInterval {
            onLook.take()?()
            return clock.now
        }

        func schedule(
            after seconds: TimeInterval,
            for label: AlarmLabel,
            _ work: @escaping @Sendable () -> Void
        ) -> @Sendable () -> Void { clock.schedule(after: seconds, for: label, work) }
    }

    @Test
    func aRefreshThatEndsAsTheDeadlinePassesSendsNothing() async throws {
        server.on("*", .status(401))
        let watched = WatchedClock(clock: clock)
        let client = SimpleNetworking(over: server, clock: watched) { $0.deadline = 10 }
        let completion = Locked<RefreshCompletion?>(nil)
        let request = counted()
            .on(isolation: nil, httpStatus: 401) { request, _ in
                client.reauthenticate(request) { completion.exchange($0) }
                return false
            }
            .execute(on: client)
        try await eventually { request.isTakenOver }
        watched.onLook.exchange { [clock] in clock.advance(by: 10) }
        completion.take()?()
        try await expectOneEnd(of: request)
    }

    /// The object of an error handler is the caller's: what it retries has ended, as the handler knows.
    @Test
    func anErrorHandlerRetriesAfterTheDeadline() async throws {
        server.on("*", .status(401), times: 1).on("*", .json("{}"))
        let request = counted()
        request
            .on(isolation: nil, httpStatus: 401) { [clock] _, _ in
                clock.advance(by: 10)
                return true
            }
            .on(isolation: nil, error: { [weak request] _ in request?.retry() })
            .execute(on: client)
        try await eventually { ends.elements.count == 2 }
        #expect(await request.ended().value?.attempt == 2)
    }
}
