import Foundation
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Which key a request has that is executed or retried again after an end of whatever kind.
@Suite(.timeLimit(.minutes(1)))
struct IdempotencyPairTests {
    private let server = StubTransport()
    private let clock = VirtualClock()
    private let gate = Gate()
    private let breaker = CircuitBreaker(failureShare: 0.5, minimumCalls: 4, window: 30, openTime: 5)

    private var keys: [String?] { server.requests(to: "/x").map { $0.headers["Idempotency-Key"] } }

    private func client(through middleware: [any Middleware] = []) -> SimpleNetworking {
        server.on("/x", .json("{}").after(gate), times: 1).on("/broken", .status(500)).on("*", .json("{}"))
        return SimpleNetworking(over: server, through: middleware, clock: clock)
    }

    private func expectTwoKeys() {
        #expect(keys.count == 2)
        #expect(Set(keys).count == 2 && !keys.contains(nil))
    }

    private func expectOneKey() {
        #expect(keys.count == 2)
        #expect(Set(keys).count == 1 && !keys.contains(nil))
    }

    @Test
    func anExecutionAfterACancelledOneIsAnotherOperation() async {
        let client = client()
        let request = SimpleNetworking.post("/x").idempotent().execute(on: client)
        await gate.arrivals(1)
        request.cancel()
        #expect(await request.ended().error?.isCancellation == true)
        #expect(await request.execute(on: client).ended().value != nil)
        expectTwoKeys()
    }

    @Test
    func anExecutionAfterADeadlineIsAnotherOperationAndARetryIsTheSame() async throws {
        let client = client()
        let request = SimpleNetworking.post("/x").idempotent().deadline(5).execute(on: client)
        await gate.arrivals(1)
        clock.advance(by: 5)
        guard case .timedOut(.deadline, _)? = await request.ended().error else { throw Surprise("\(request.trace)") }
        request.retry()
        #expect(await request.ended().value != nil)
        expectOneKey()
        #expect(await request.execute(on: client).ended().value != nil)
        #expect(keys.count == 3 && keys[2] != keys[0] && keys[2] != nil)
    }

    @Test
    func theRequestThatReplacesAnotherIsAnotherOperation() async {
        let client = client()
        let older = SimpleNetworking.post("/x").idempotent().replacing("key").execute(on: client)
        await gate.arrivals(1)
        let newer = SimpleNetworking.post("/x").idempotent().replacing("key").execute(on: client)
        #expect(await older.ended().error?.isCancellation == true)
        #expect(await newer.ended().value != nil)
        expectTwoKeys()
    }

    @Test
    func aRetryAfterAResponseThatIsNotAcceptableIsTheSameOperation() async throws {
        let client = client()
        gate.open()
        let request = SimpleNetworking.post("/x").idempotent().acceptable(types: [.text]).execute(on: client)
        guard case .unacceptableContentType? = await request.ended().error else { throw Surprise("\(request.trace)") }
        request.retry()
        await request.ended()
        expectOneKey()
    }

    @Test
    func aRetryAfterTheRefusalOfABreakerHasTheKeyOfTheFirstAttempt() async throws {
        let client = client(through: [breaker])
        let request = SimpleNetworking.post("/x").idempotent().execute(on: client)
        await gate.arrivals(1)
        gate.open()
        await request.ended()
        for _ in 0..<4 { await client.get("/broken").ended() }
        request.retry()
        guard case .failed(is CircuitBreaker.Refusal, _, _)? = await request.ended().error else {
            throw Surprise("\(request.trace)")
        }
        clock.advance(by: 5)
        request.retry()
        #expect(await request.ended().value != nil)
        expectOneKey()
    }
}
