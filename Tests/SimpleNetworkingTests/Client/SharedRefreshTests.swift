import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

@Suite
struct SharedRefreshTests {
    @Test(arguments: [true, false])
    func aRefreshThatEndsLeavesNoAlarmBehind(endsAtOnce: Bool) {
        let clock = VirtualClock()
        let refresh = SimpleNetworking(host: "a.test").sharedRefresh
        let completion = Locked<RefreshCompletion?>(nil)
        let ends = Recorder<String>()
        let step = refresh.recover(
            from: .expiry(refresh.stamp(isNew: true).generation),
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
