import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// `retry(after:)` beside the deadline, and `cancel()` beside its delay.
@Suite(.timeLimit(.minutes(5)))
struct RetryDelayTests {
    private let server = StubTransport()
    private let clock = VirtualClock()
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server, clock: clock)
    }

    @Test(arguments: [10, 100, TimeInterval.infinity])
    func aDelayBeyondTheDeadlineEndsAtOnceWithTheResponse(delay: Double) async throws {
        server.on("*", .status(503))
        let errors = Recorder<Int?>()
        let request = client.get("/x") {
            $0.deadline(10)
                .on(httpStatus: 503) { request, _ in
                    request.retry(after: delay)
                    return false
                }
                .on(error: { error in errors.add(error.httpStatus) })
        }
        let error = try #require(await request.ended().error)
        guard case .serverError = error else { throw error }
        #expect(errors.elements == [503])
        #expect(clock.now == 0 && server.requests.count == 1)
        #expect(request.trace.description.contains("deadline"))
    }

    @Test
    func aDelayBeyondTheDeadlineEndsAtOnceWithTheErrorOfAnAttemptWithoutResponse() async throws {
        server.on("*", .failure(NetworkFailure(.connectionLost)))
        let request = client.get("/x") {
            $0.deadline(10).on(noResponse: { request, _ in
                request.retry(after: 11)
                return false
            })
        }
        guard case .networkingError? = await request.ended().error else { throw Surprise("another end") }
        #expect(clock.now == 0)
    }

    @Test
    func aDelayWithinTheDeadlineIsWaitedFor() async throws {
        server.on("*", .status(503), times: 1).on("*", .json("{}"))
        let request = client.get("/x") {
            $0.deadline(10).on(httpStatus: 503) { request, _ in
                request.retry(after: 9)
                return false
            }
        }
        await clock.alarms(1, for: .retry)
        clock.advance(by: 9)
        #expect(await request.ended().value != nil)
    }

    @Test
    func aCancelBetweenARetryAndItsDelayLeavesTheRequestExecutable() async throws {
        server.on("*", .status(503), times: 1).on("*", .json("{}"))
        let request = SimpleNetworking.get("/x")
        let monitor = CancellingMonitor(request)
        let observed = SimpleNetworking(over: server, clock: clock) { $0.eventMonitors = [monitor] }
        request.on(httpStatus: 503) { request, _ in
            request.retry(after: 5)
            return false
        }
        .execute(on: observed)
        #expect(await request.ended().error?.isCancellation == true)
        client.execute(request: request)
        #expect(await request.ended().value != nil)
    }

    /// Cancels a request when it is about to wait for its delay.
    private final class CancellingMonitor: EventMonitor {
        private let request: Locked<SimpleRequest?>

        init(_ request: SimpleRequest) { self.request = Locked(request) }

        func observe(_ event: RequestEvent, of request: ObservedRequest) {
            guard case .retry(after: 5) = event.kind else { return }
            self.request.withLock { $0.take() }?.cancel()
        }
    }
}
