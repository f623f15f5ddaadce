import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking

@Suite
struct FlightStateTests {
    private struct Broken: Error {}

    private func name(_ action: FlightState.Action) -> String {
        switch action {
        case .resend(let generation): "resend with \(generation)"
        case .wait: "wait"
        case .refresh(let flight): "refresh \(flight)"
        case .fail: "fail"
        }
    }

    @Test
    func firstRefusalRefreshesOthersWaitAndLateOnesAreResent() {
        var state = FlightState()
        #expect(name(state.refuse(stamp: 0) { _ in }) == "refresh 1")
        #expect(name(state.refuse(stamp: 0) { _ in }) == "wait")
        #expect(state.finish(flight: 1, nil).0.count == 2)
        #expect(name(state.refuse(stamp: 0) { _ in }) == "resend with 1")
        #expect(name(state.refuse(stamp: 1) { _ in }) == "refresh 2")
    }

    @Test
    func aFailureLastsUntilANewRequestComes() {
        var state = FlightState()
        _ = state.refuse(stamp: 0) { _ in }
        #expect(state.finish(flight: 1, Broken()).0.count == 1)
        #expect(name(state.refuse(stamp: 0) { _ in }) == "fail")
        #expect(state.stamp(isNew: false) == 0)
        #expect(name(state.refuse(stamp: 0) { _ in }) == "fail")
        #expect(state.stamp(isNew: true) == 0)
        #expect(name(state.refuse(stamp: 0) { _ in }) == "refresh 2")
    }

    @Test
    func aLateRefreshServesRequestsThatAreRefusedAfterIt() {
        var state = FlightState()
        _ = state.refuse(stamp: 0) { _ in }
        _ = state.finish(flight: 1, Broken())
        #expect(state.finish(flight: 1, nil).0.isEmpty)
        #expect(name(state.refuse(stamp: 0) { _ in }) == "resend with 1")
    }

    @Test
    func aRefreshForAnEarlierAccountIsIgnored() {
        var state = FlightState()
        let ends = Recorder<String>()
        _ = state.refuse(stamp: 0) { ends.add("\($0)") }
        state.changeAccount().signOut()
        #expect(ends.elements.count == 1)
        #expect(state.account == 1)
        #expect(name(state.refuse(stamp: state.generation) { _ in }) == "refresh 3")
        #expect(state.finish(flight: 1, nil).0.isEmpty)
        #expect(state.isRefreshing)
    }

    @Test(arguments: [
        ([nil, "a"], false), (["a", "a"], false), (["a", "b"], true), (["a", nil], true), (["a", nil, "a"], false),
    ])
    func theAccountChangesOnlyWhenItsUserLeaves(identities: [String?], isLast: Bool) {
        var state = FlightState()
        var changed = false
        for identity in identities { changed = state.note(identity) }
        #expect(changed == isLast)
    }
}
