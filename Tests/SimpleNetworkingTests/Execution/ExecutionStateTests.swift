import Foundation
import Testing

@testable import SimpleNetworkingCore

/// The pure state machine, without any clock, thread or transport; `ExecutionSequenceTests` walks all sequences.
@Suite
struct ExecutionStateTests {
    private let caller = SimpleNetworking.get("/x")
    private var holder: ObjectIdentifier { ObjectIdentifier(caller) }
    private let response = SimpleResponse(request: RequestHead(method: .get, url: URL(fileURLWithPath: "/")))

    private func running(round: Int = 1) -> ExecutionState {
        var state = ExecutionState(holder: holder)
        for number in 1...round {
            if number > 1 { _ = state.retry(by: holder, round: nil, limit: 100) }
            _ = state.start(limit: 100)
            if number < round { _ = state.receive(.response(response, nil)) }
        }
        return state
    }

    /// A retry waits for its timer.
    private func delayed() -> ExecutionState {
        var state = running()
        check(state.receive(.response(response, nil)))
        check(state.retry(by: holder, round: 1, limit: 3, after: 5) == .proceed)
        return state
    }

    @Test
    func phasesFollowInOrder() {
        var state = ExecutionState(holder: holder)
        check(state.phase == .submitted)
        check(state.start(limit: 3) == .proceed)
        check(state.receive(.response(response, nil)))
        check(state.phase == .handling)
        guard case .end(.success(let response))? = state.step() else { return check(false) }
        check(state.end(.success(response)))
        guard case .finish? = state.step() else { return check(false) }
        check(state.phase == .ended)
    }

    @Test
    func succeededRequestIsNeitherRetriedNorExecuted() {
        var state = running()
        state.fill([Handler(.success, .value({ _ in nil }), at: CallSite())])
        check(state.receive(.failure(.cancelled(nil))))
        check(state.decide(on: response) == true)
        check(state.decide(on: response) == nil)
        guard case .ignore = state.execute(by: holder, round: nil, limit: 3) else { return check(false) }
        guard case .ignore = state.retry(by: holder, round: nil, limit: 3) else { return check(false) }
        guard case .ignore = state.start(limit: 3) else { return check(false) }
        check(!state.takeOver(by: nil, round: 1) && !state.receive(.response(response, nil)))
        check(state.phase == .deciding)
    }

    /// A subclass may pass a request on long after it has given it a response of its own.
    @Test
    func aRequestThatSucceededBeforeItWasSentIsNotSentLater() {
        var state = ExecutionState(holder: holder)
        state.fill([Handler(.completion, .completion({ _ in }), at: CallSite())])
        check(state.decide(on: response, needsDelivery: true) == true)
        guard case .deliver? = state.step() else { return check(false) }
        check(state.isDelivering && state.step() == nil)
        state.receive(provided: response)
        guard case .end(.success)? = state.step() else { return check(false) }
        check(state.end(.success(response)))
        guard case .ignore = state.start(limit: 3) else { return check(false) }
    }

    @Test(arguments: [true, false])
    func nothingEndsAnExecutionWhoseSuccessIsCarriedOut(isPossible: Bool) {
        var state = running()
        check(state.hold(Commit({}, orDrop: {}), of: 1) && !state.hold(Commit({}, orDrop: {}), of: 1))
        check(state.receive(.response(response, nil)))
        guard case .commit? = state.step() else { return check(false) }
        check(!state.end(.failure(.cancelled(nil))) && !state.cancel(.failure(.cancelled(nil))))
        check(state.decide(on: response) == nil && state.step() == nil && state.takeUselessCommit() == nil)
        guard case .ignore = state.retry(by: holder, round: 1, limit: 3) else { return check(false) }
        state.settle(isPossible ? .success(response) : .failure(.abandoned(nil, nil)))
        check(state.phase == .ending && (try? state.outcome?.get()) != nil ? isPossible : !isPossible)
    }

    @Test
    func onlyTheFirstEndCounts() {
        var state = running()
        check(state.end(.success(response)))
        check(!state.end(.failure(.cancelled(nil))))
        check(!state.cancel(.failure(.cancelled(nil))))
        guard case .success? = state.outcome else { return check(false) }
    }

    @Test
    func handlerOfAnEarlierRoundCannotTakeTheRequestOver() {
        var state = running(round: 2)
        check(state.receive(.response(response, nil)))
        check(!state.takeOver(by: nil, round: 1))
        check(state.refusal(round: 1) != nil && state.refusal(round: 2) == nil)
        guard case .ignore = state.retry(by: holder, round: 1, limit: 3) else { return check(false) }
        check(state.takeOver(by: nil, round: 2))
    }

    @Test(arguments: [0, 1, 4])
    func maxRetriesLimitsTheRetriesOfOneExecution(limit: Int) {
        var state = ExecutionState(holder: holder)
        for round in 1...(limit + 1) {
            check(state.start(limit: limit) == .proceed)
            check(state.receive(.response(response, nil)))
            check(state.retry(by: holder, round: round, limit: limit) == (round <= limit ? .proceed : .endAtLimit))
        }
    }

    @Test
    func retryCountsOncePerRound() {
        var state = running()
        check(state.receive(.response(response, nil)))
        check(state.retry(by: holder, round: 1, limit: 3) == .proceed)
        guard case .ignore = state.retry(by: holder, round: 1, limit: 3) else { return check(false) }
    }

    @Test
    func aRetryWhileHandlersAreToldOfTheEndIsQueued() {
        var state = running()
        check(state.end(.success(response)))
        check(state.retry(by: holder, round: nil, limit: 3, after: 2) == .queue)
        guard case .finish? = state.step() else { return check(false) }
        check(state.next?.isFresh == false && state.next?.delay == 2)
    }

    @Test
    func followingExecutionContinuesTheAttemptCount() {
        var former = running()
        former.countAttempt()
        check(former.end(.success(response)))
        guard case .finish? = former.step() else { return check(false) }
        check(former.retry(by: holder, round: nil, limit: 3) == .begin)
        check(former.execute(by: holder, round: nil, limit: 3) == .begin)
        let state = ExecutionState(holder: holder, following: former)
        check(state.round == 1 && state.attempt == 1 && state.phase == .submitted)
    }

    @Test
    func aCancelledRequestIsNotRetriedButMayBeExecutedAfresh() {
        var state = running()
        check(state.cancel(.failure(.cancelled(nil))))
        guard case .ignore = state.retry(by: holder, round: nil, limit: 3) else { return check(false) }
        guard case .finish? = state.step() else { return check(false) }
        guard case .ignore = state.retry(by: holder, round: nil, limit: 3) else { return check(false) }
        check(state.execute(by: holder, round: nil, limit: 3) == .begin)
    }

    @Test
    func cancelDropsAQueuedRetry() {
        var state = running()
        check(state.end(.success(response)))
        check(state.retry(by: holder, round: nil, limit: 3) == .queue)
        check(!state.cancel(.failure(.cancelled(nil))))
        check(state.next == nil)
    }

    @Test
    func aHandlerAddedAfterARetryWasQueuedWaitsForThatExecution() {
        var state = running()
        state.fill([])
        check(state.end(.success(response)))
        check(state.retry(by: holder, round: nil, limit: 3) == .queue)
        check(!state.add(Handler(.completion, .completion({ _ in }), at: CallSite())))
        guard case .finish? = state.step() else { return check(false, "the first execution told it") }
    }

    @Test
    func aHandlerAddedAfterAQueuedRetryIsToldOfThisEndIfTheRetryIsCancelled() {
        var state = running()
        state.fill([])
        check(state.end(.success(response)))
        check(state.retry(by: holder, round: nil, limit: 3) == .queue)
        check(!state.add(Handler(.completion, .completion({ _ in }), at: CallSite())))
        check(!state.cancel(.failure(.cancelled(nil))))
        guard case .conclude(0, _, _)? = state.step() else { return check(false, "it waits for nothing") }
        guard case .finish? = state.step() else { return check(false) }
    }

    @Test
    func cancellingBeforeTheStartEndsTheNextExecution() {
        var state = ExecutionState(holder: holder, isCancelled: true)
        check(state.start(limit: 3) == .endCancelled)
        check(state.cancel(.failure(.cancelled(nil))))
    }

    @Test
    func cancelDropsAQueuedRetryAlsoAfterTheEnd() {
        var state = running()
        check(state.end(.success(response)))
        check(state.retry(by: holder, round: nil, limit: 3) == .queue)
        guard case .finish? = state.step() else { return check(false) }
        check(!state.cancel(.failure(.cancelled(nil))))
        check(!state.takeNext())
    }

    @Test
    func retryOfAnAttemptOfAnEarlierExecutionDoesNothing() {
        var former = running()
        check(former.end(.success(response)))
        guard case .finish? = former.step() else { return check(false) }
        var later = ExecutionState(holder: holder, after: former.round)
        check(later.start(limit: 3) == .proceed)
        check(later.receive(.response(response, nil)))
        check(!later.isInHand(of: former.round) && later.isInHand(of: later.round))
        check(later.refusal(round: former.round) != nil)
        guard case .ignore = later.retry(by: holder, round: former.round, limit: 3) else { return check(false) }
        check(later.end(.success(response)))
        guard case .finish? = later.step() else { return check(false) }
        guard case .ignore = later.retry(by: holder, round: former.round, limit: 3) else { return check(false) }
        check(later.retry(by: holder, round: later.round, limit: 3) == .begin)
    }

    /// A subclass may take its time to pass the next execution on; until then, no round tells the two apart.
    @Test
    func objectOfAnEarlierExecutionDoesNotEndOneThatHasNotStarted() {
        var former = running()
        check(former.end(.success(response)))
        guard case .finish? = former.step() else { return check(false) }
        for later in [
            ExecutionState(holder: holder, after: former.round), ExecutionState(holder: holder, following: former),
        ] {
            check(later.refusal(round: former.round) != nil)
            check(later.refusal(round: nil) == nil)
            var ended = later
            check(ended.end(.success(response)))
            guard case .ignore = ended.retry(by: holder, round: former.round, limit: 3) else { return check(false) }
        }
    }

    @Test
    func executionThatEndedDuringADelayLeavesTheNextStartAlone() {
        var state = delayed()
        check(state.end(.failure(.cancelled(nil))))
        check(!state.wake())
        guard case .finish? = state.step() else { return check(false) }
        check(state.start(limit: 3) == .begin)
    }

    @Test
    func aStartDuringADelayTakesThePlaceOfTheTimers() {
        var state = delayed()
        check(state.start(limit: 3) == .proceed)
        check(!state.wake())
    }

    @Test
    func cancelledRequestThatASubclassPassesOnIsNotSent() {
        var state = ExecutionState(holder: holder)
        check(state.cancel(.failure(.cancelled(nil))))
        guard case .finish? = state.step() else { return check(false) }
        guard case .ignore = state.start(limit: 3) else { return check(false, "it was cancelled") }
        check(state.start(limit: 3) == .begin)
    }

    @Test
    func onlyReleasingTheHolderAbandonsAnExecution() {
        let other = SimpleNetworking.get("/y")
        var state = running()
        check(!state.isLost(by: holder))
        check(state.receive(.response(response, nil)))
        check(!state.isLost(by: holder))
        check(!state.takeOver(by: holder, round: 1))
        check(state.isLost(by: holder) && !state.isLost(by: ObjectIdentifier(other)))
        check(state.retry(by: ObjectIdentifier(other), round: nil, limit: 3) == .proceed)
        check(!state.isLost(by: holder) && state.isLost(by: ObjectIdentifier(other)))
    }

    @Test
    func aCancelBeforeAFollowUpLeavesTheRequestExecutable() {
        var state = ExecutionState(holder: nil)
        _ = state.start(limit: 3)
        state.fill([])
        state.prepareFollowUp()
        check(state.cancel(.failure(.cancelled(nil))))
        check(!state.passFollowUp(by: ObjectIdentifier(caller)))
        while let action = state.step() { if case .finish = action { break } }
        check(state.start(limit: 3) == .begin)
    }

    /// `#expect` itself takes no expression that changes what it looks at.
    private func check(_ holds: Bool, _ comment: Comment? = nil, at place: SourceLocation = #_sourceLocation) {
        #expect(holds, comment, sourceLocation: place)
    }
}
