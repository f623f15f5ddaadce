import Foundation
import SimpleNetworkingCore
import SimpleNetworkingTesting
import Testing

/// Which clock a stub's delays wait for.
@Suite(.timeLimit(.minutes(5)))
struct StubClockTests {
    private let clock = VirtualClock()
    private let server = StubTransport().on("/x", .status(204).after(3_600))

    @Test
    func delayPassesOnTheClientsClock() async throws {
        let request = SimpleNetworking(over: server, clock: clock) { $0.timeout = 7_200 }.get("/x")
        try await clock.advance(to: .response)
        #expect(try await server.expectEnd(of: request).get().httpStatus == 204)
        #expect(clock.now == 3_600)
    }

    @Test
    func twoClientsHaveTheirOwnTime() async throws {
        let other = VirtualClock()
        let first = SimpleNetworking(over: server, clock: clock) { $0.timeout = 7_200 }.get("/x")
        let second = SimpleNetworking(over: server, clock: other) { $0.timeout = 7_200 }.get("/x")
        try await other.advance(to: .response)
        #expect(await second.ended().value?.httpStatus == 204)
        #expect(clock.now == 0 && clock.alarms(for: .response) == [3_600])
        first.cancel()
        await first.ended()
    }

    @Test
    func clockOfTheStubComesFirst() async throws {
        let server = StubTransport(clock: clock).on("/x", .status(204).after(5))
        let api = SimpleNetworking(over: server)
        let request = api.get("/x")
        try await clock.advance(to: .response)
        #expect(await request.ended().value?.httpStatus == 204)
    }

    @Test
    func requestThatDoesNotEndShowsTheAlarmsOfTheClient() async throws {
        let request = SimpleNetworking(over: server, clock: clock) { $0.timeout = 7_200 }.get("/x")
        try await eventuallyWaiting()
        await clock.alarms(1, for: .timeout)
        let text = await failureText { try await server.expectEnd(of: request, within: 0) }
        #expect(text.hasSuffix("the clock:\n  response in 3600 s\n  timeout in 7200 s"))
        request.cancel()
        await request.ended()
    }

    private func eventuallyWaiting() async throws { await clock.alarms(1, for: .response) }
}
