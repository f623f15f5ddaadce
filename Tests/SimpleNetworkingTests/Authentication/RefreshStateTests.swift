import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

@Suite
struct RefreshStateTests {
    private struct Broken: Error {}

    @Test
    func firstRefusalRefreshesOthersWaitAndLateOnesAreResent() {
        var state = RefreshState()
        #expect(name(state.recover(from: 0) { _ in }) == "refresh 1")
        #expect(name(state.recover(from: 0) { _ in }) == "wait")
        #expect(state.endWait(number: 1, nil).0.count == 2)
        #expect(name(state.recover(from: 0) { _ in }) == "resend with 1")
        #expect(name(state.recover(from: 1) { _ in }) == "refresh 2")
    }

    @Test
    func aFailureLastsUntilANewRequestComes() {
        var state = RefreshState()
        _ = state.recover(from: 0) { _ in }
        #expect(state.endWait(number: 1, Broken()).0.count == 1)
        #expect(name(state.recover(from: 0) { _ in }) == "fail")
        #expect(state.stamp(isNew: false).generation == 0)
        #expect(name(state.recover(from: 0) { _ in }) == "fail")
        #expect(state.stamp(isNew: true).generation == 0)
        #expect(name(state.recover(from: 0) { _ in }) == "refresh 2")
    }

    @Test
    func aLateRefreshServesRequestsThatAreRefusedAfterIt() {
        var state = RefreshState()
        _ = state.recover(from: 0) { _ in }
        _ = state.endWait(number: 1, Broken())
        #expect(state.endWait(number: 1, nil).0.isEmpty)
        #expect(name(state.recover(from: 0) { _ in }) == "resend with 1")
    }

    @Test
    func aLateRefreshLeavesNoFailureForTheCredentialThatItBrings() {
        var state = RefreshState()
        _ = state.recover(from: 0) { _ in }
        #expect(state.endWait(number: 1, Broken()).0.count == 1)
        #expect(state.endWait(number: 1, nil).0.isEmpty)
        #expect(name(state.recover(from: 1) { _ in }) == "refresh 2")
    }

    @Test
    func lateSuccessForAnEarlierAccountIsNoNewCredential() {
        var state = RefreshState()
        _ = state.recover(from: 0) { _ in }
        _ = state.signOut()
        let generation = state.generation
        _ = state.endWait(number: 1, nil)
        #expect(state.generation == generation)
    }

    @Test
    func aRefreshForAnEarlierAccountIsIgnored() {
        var state = RefreshState()
        let ends = Recorder<String>()
        _ = state.recover(from: 0) { ends.add("\($0)") }
        state.signOut().signOut()
        #expect(ends.elements.count == 1)
        #expect(state.account == 1)
        #expect(name(state.recover(from: state.generation) { _ in }) == "refresh 3")
        #expect(state.endWait(number: 1, nil).0.isEmpty)
        #expect(state.isRefreshing)
    }

    @Test(arguments: [
        ([nil, "a"], false), (["a", "a"], false), (["a", "b"], true), (["a", nil], true), (["a", nil, "a"], false),
    ])
    func theAccountChangesOnlyWhenItsUserLeaves(identities: [String?], isLast: Bool) {
        var state = RefreshState()
        var hasLeft = false
        for identity in identities {
            let account = state.account
            let (noted, former) = state.note(identity, ticket: state.stamp(isNew: false).ticket)
            hasLeft = former != nil
            #expect(noted?.number == account.number + (hasLeft ? 1 : 0))
            #expect(noted == state.account)
        }
        #expect(hasLeft == isLast)
    }

    @Test
    func anIdentityThatComesLateIsAFormerUsers() {
        var state = RefreshState()
        let (early, later) = (state.stamp(isNew: false).ticket, state.stamp(isNew: false).ticket)
        #expect(state.note("b", ticket: later).account == 0)
        #expect(state.note("a", ticket: early).account == nil)
        #expect(state.note("b", ticket: early).account == 0)
        #expect(state.note("a", ticket: state.stamp(isNew: false).ticket).account == 1)
    }

    @Test
    func aRefreshThatWasGivenUpHasNoWaitersWhenItEnds() {
        var state = RefreshState()
        let ends = Recorder<String>()
        _ = state.recover(from: 0) { ends.add("\($0)") }
        let (waiters, result) = state.endWait(number: 1, Broken())
        for waiter in waiters { waiter(result) }
        #expect(ends.elements.count == 1 && !state.isRefreshing)
        #expect(state.endWait(number: 1, nil).0.isEmpty)
    }
}
