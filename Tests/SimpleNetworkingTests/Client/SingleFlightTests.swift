import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking

@Suite
struct SingleFlightTests {
    @Test(arguments: [true, false])
    func aRefreshThatEndsLeavesNoAlarmBehind(endsAtOnce: Bool) {
        let clock = VirtualClock()
        let flight = SimpleNetworking(host: "a.test").flight
        let completion = Locked<RefreshCompletion?>(nil)
        let ends = Recorder<String>()
        let step = flight.recover(
            from: .expiry(flight.stamp(isNew: true).generation),
            clock: clock,
            limit: 30,
            waiter: { ends.add("\($0)") },
            refresh: { done in if endsAtOnce { done() } else { completion.withLock { $0 = done } } }
        )
        #expect(step == .started)
        if !endsAtOnce {
            #expect(clock.alarms == [30])
            let done = completion.withLock { $0 }
            done?()
        }
        #expect(ends.elements == ["success(1)"])
        #expect(clock.alarms.isEmpty)
    }
}
