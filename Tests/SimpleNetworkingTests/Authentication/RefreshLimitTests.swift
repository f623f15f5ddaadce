import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

@Suite
struct RefreshLimitTests {
    private struct Broken: Error {}

    private static func resource(_ name: String, _ method: HTTPMethod = .get) -> RefusingResource {
        let url = URL(string: "https://api.example.com/" + name) ?? URL(fileURLWithPath: "/")
        return RefusingResource(RequestHead(method: method, url: url))
    }

    private func refusal(
        _ stamp: CredentialGeneration,
        by name: String,
        afterRefreshTo refreshed: CredentialGeneration? = nil
    ) -> CredentialRefusal {
        CredentialRefusal(of: stamp, by: Self.resource(name), afterRefreshTo: refreshed)
    }

    @Test
    func aResourceIsAMethodAndAURLWithoutItsQuery() {
        #expect(Self.resource("a?page=1") == Self.resource("a?page=2#x"))
        #expect(Self.resource("a") != Self.resource("b"))
        #expect(Self.resource("a") != Self.resource("a", .post))
    }

    @Test
    func aRefusalIsFinalOnlyWithoutANewerCredentialAndWithoutARefresh() {
        var state = RefreshState()
        #expect(name(state.refuse(refusal(0, by: "a"), at: 0) { _ in }) == "refresh 1")
        _ = state.endWait(number: 1, nil)
        #expect(name(state.refuse(refusal(1, by: "b"), at: 0) { _ in }) == "refresh 2")
        // Both were refused with the credential that a refresh brought them, and which the next refresh revokes.
        #expect(name(state.refuse(refusal(1, by: "a", afterRefreshTo: 1), at: 0) { _ in }) == "wait")
        _ = state.endWait(number: 2, nil)
        #expect(name(state.refuse(refusal(1, by: "c", afterRefreshTo: 1), at: 0) { _ in }) == "resend with 2")
        #expect(name(state.refuse(refusal(2, by: "b", afterRefreshTo: 2), at: 0) { _ in }) == "end")
        #expect(name(state.refuse(refusal(2, by: "d", afterRefreshTo: 1), at: 0) { _ in }) == "end")
    }

    @Test
    func anotherRequestForTheSameResourceHasNothingRefreshedForAMinute() {
        var state = RefreshState()
        _ = state.refuse(refusal(0, by: "a"), at: 10) { _ in }
        _ = state.endWait(number: 1, nil)
        #expect(name(state.refuse(refusal(1, by: "a?page=2"), at: 69) { _ in }) == "end")
        #expect(name(state.refuse(refusal(1, by: "a"), at: 70) { _ in }) == "refresh 2")
    }

    @Test
    func aResourceThatHasAcceptedTheCredentialMayRefreshItAtOnce() {
        var state = RefreshState()
        _ = state.refuse(refusal(0, by: "a"), at: 0) { _ in }
        _ = state.endWait(number: 1, nil)
        state.accept(Self.resource("a"))
        #expect(name(state.refuse(refusal(1, by: "a"), at: 1) { _ in }) == "refresh 2")
    }

    /// The server may have revoked the credential, and the response with the new one is lost.
    @Test
    func afterARefreshThatFailedAnyRefusalRefreshes() {
        var state = RefreshState()
        _ = state.refuse(refusal(0, by: "a"), at: 0) { _ in }
        _ = state.endWait(number: 1, nil)
        _ = state.refuse(refusal(1, by: "b"), at: 0) { _ in }
        _ = state.endWait(number: 2, Broken())
        state.forgetFailure()
        #expect(name(state.refuse(refusal(1, by: "a", afterRefreshTo: 1), at: 0) { _ in }) == "refresh 3")
        _ = state.endWait(number: 3, nil)
        #expect(name(state.refuse(refusal(2, by: "a", afterRefreshTo: 2), at: 0) { _ in }) == "end")
    }

    @Test
    func aNewUserStartsWithoutTrials() {
        var state = RefreshState()
        _ = state.refuse(refusal(0, by: "a"), at: 0) { _ in }
        _ = state.endWait(number: 1, nil)
        state.signOut().signOut()
        #expect(name(state.refuse(refusal(2, by: "a"), at: 0) { _ in }) == "refresh 3")
    }

    /// Whatever comes in whatever order, as long as refreshes succeed.
    @Test(arguments: 1...Storm.size(50, full: 2000))
    func resourcesThatAlwaysRefuseCauseThreeRefreshesAMinute(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var state = RefreshState()
        var starts: [(time: TimeInterval, resource: Int)] = []
        var (now, number) = (TimeInterval(0), 0)
        for _ in 0..<400 {
            now += TimeInterval(Int.random(in: 0...5, using: &generator))
            if number > 0, Bool.random(using: &generator) {
                _ = state.endWait(number: number, nil)
                number = 0
            }
            let resource = Int.random(in: 0...9, using: &generator)
            let generation = state.generation.number
            let stamp = CredentialGeneration(
                number: Int.random(in: max(0, generation - 1)...generation, using: &generator)
            )
            let refusal = refusal(stamp, by: "\(resource)")
            guard case .refresh(let next) = state.refuse(refusal, at: now, waiter: { _ in }) else { continue }
            starts.append((now, resource))
            number = next
        }
        #expect(starts.count > 10)
        for start in starts {
            let minute = starts.filter { $0.time >= start.time && $0.time < start.time + 60 }
            #expect(minute.count <= RefreshLimit.limit)
            #expect(Set(minute.map(\.resource)).count == minute.count)
        }
    }
}
