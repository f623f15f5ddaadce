import Foundation
import SimpleNetworkingCore
import SimpleNetworkingTesting
import Testing

/// A test that awaits time that nobody lets pass, and would hang.
@Suite(.timeLimit(.minutes(1)))
struct StalledClockTests {
    private let clock = VirtualClock()

    private func client(_ response: StubResponse) -> SimpleNetworking {
        SimpleNetworking(over: StubTransport().on("/x", response), clock: clock) {
            $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(60))
        }
    }

    @Test
    func awaitedRequestEndsIfNobodyAdvancesTheClock() async throws {
        let api = client(.status(503))
        let error = await #expect(throws: SimpleNetworkingError.self) { try await api.send(SimpleNetworking.get("/x")) }
        let text = "\(try #require(error))"
        #expect(text.contains("retry in 60 s"))
        #expect(text.contains("timeout in") == false)
        #expect(text.contains("advance(to:)"))
        #expect(text.contains("attempt 1: GET https://api.example.com/x"))
        #expect(clock.now == 0)
        #expect(clock.pending.isEmpty)
    }

    @Test(arguments: [StubResponse.status(204).after(5), .silence])
    func awaitedResponseThatNeedsTimeEnds(response: StubResponse) async throws {
        let request = client(response).get("/x")
        let error = try #require(await request.ended().error)
        #expect("\(error)".contains("nobody advances"))
    }

    @Test
    func requestGoesOnWhileATestUsesTheClock() async throws {
        let request = client(.replies(.status(503), .status(204))).get("/x")
        async let end = request.ended()
        let start = Date()
        while Date().timeIntervalSince(start) < 3.5 {
            _ = clock.pending
            try await Task.sleep(nanoseconds: 50_000_000)
        }
        try await clock.advance(to: .retry)
        #expect(await end.value?.httpStatus == 204)
    }

    @Test
    func requestThatIsNotAwaitedKeepsItsAlarm() async throws {
        let api = client(.replies(.status(503), .status(204)))
        let request = api.get("/x")
        await clock.alarms(1, for: .retry)
        let other = client(.status(503))
        await #expect(throws: SimpleNetworkingError.self) { try await other.send(SimpleNetworking.get("/x")) }
        #expect(clock.pending == ["retry in 60 s"])
        clock.advance(by: 60)
        #expect(await request.ended().value?.httpStatus == 204)
    }
}
