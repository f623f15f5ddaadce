import Testing

@testable import SimpleNetworking

@Suite
struct FlightStateTests {
    private struct Broken: Error {}

    private func name(_ action: FlightState.Action) -> String {
        switch action {
        case .goOn(let generation): "go on with \(generation)"
        case .wait: "wait"
        case .renew(let flight): "renew \(flight)"
        case .fail: "fail"
        }
    }

    @Test
    func theFirstRefusedRenewsTheOthersWaitAndTheLateGoOn() {
        var state = FlightState()
        #expect(name(state.refuse(stamp: 0) { _ in }) == "renew 1")
        #expect(name(state.refuse(stamp: 0) { _ in }) == "wait")
        #expect(state.land(flight: 1, nil).0.count == 2)
        #expect(name(state.refuse(stamp: 0) { _ in }) == "go on with 1")
        #expect(name(state.refuse(stamp: 1) { _ in }) == "renew 2")
    }

    @Test
    func whatHasFailedStaysSoUntilANewRequestComes() {
        var state = FlightState()
        _ = state.refuse(stamp: 0) { _ in }
        #expect(state.land(flight: 1, Broken()).0.count == 1)
        #expect(name(state.refuse(stamp: 0) { _ in }) == "fail")
        #expect(state.stamp(isNew: false) == 0)
        #expect(name(state.refuse(stamp: 0) { _ in }) == "fail")
        #expect(state.stamp(isNew: true) == 0)
        #expect(name(state.refuse(stamp: 0) { _ in }) == "renew 2")
    }

    @Test
    func aRenewalThatLandsTooLateCountsForThoseWhoAreRefusedAfterIt() {
        var state = FlightState()
        _ = state.refuse(stamp: 0) { _ in }
        _ = state.land(flight: 1, Broken())
        #expect(state.land(flight: 1, nil).0.isEmpty)
        #expect(name(state.refuse(stamp: 0) { _ in }) == "go on with 1")
    }

    @Test
    func aRenewalForAnAccountThatHasLeftCountsForNobody() {
        var state = FlightState()
        _ = state.refuse(stamp: 0) { _ in }
        #expect(state.leaveAccount().count == 1)
        #expect(state.account == 1)
        #expect(name(state.refuse(stamp: state.generation) { _ in }) == "renew 3")
        #expect(state.land(flight: 1, nil).0.isEmpty)
        #expect(state.isRenewing)
    }

    @Test(arguments: [
        ([nil, "a"], false), (["a", "a"], false), (["a", "b"], true), (["a", nil], true), (["a", nil, "a"], false),
    ])
    func onlyWhoLeavesChangesTheAccount(identities: [String?], isLast: Bool) {
        var state = FlightState()
        var changed = false
        for identity in identities { changed = state.note(identity) }
        #expect(changed == isLast)
    }
}
