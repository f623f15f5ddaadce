import Testing

@testable import SimpleNetworking

/// The pure state machine, without any clock, thread or transport.
@Suite
struct ExecutionStateTests {
    private func running(attempt: Int = 1) -> ExecutionState {
        var state = ExecutionState()
        for number in 1...attempt {
            _ = number == 1 ? state.submit(.execute) : state.submit(.retry(limit: 100))
            _ = state.start(limit: 100)
            if number < attempt { _ = state.receive(epoch: state.epoch) }
        }
        return state
    }

    @Test
    func anExecutionGoesThroughItsPhasesInOrder() {
        var state = ExecutionState()
        check(state.submit(.execute) == .submit)
        check(state.start(limit: 3) == .run(epoch: 1, attempt: 1))
        check(state.receive(epoch: 1))
        check(state.end(epoch: 1))
        check(state.phase == .ending)
        check(!state.delivered())
        check(state.phase == .ended)
    }

    @Test
    func whatIsAboutToEndIsNeitherRetriedNorExecuted() {
        var state = running()
        check(state.receive(epoch: 1))
        check(state.decide())
        check(!state.decide())
        for submission in [ExecutionState.Submission.execute, .retry(limit: 3)] {
            guard case .ignore = state.submit(submission) else { return check(false) }
        }
        guard case .ignore = state.start(limit: 3) else { return check(false) }
        check(state.phase == .deciding)
    }

    @Test
    func onlyTheFirstEndCounts() {
        var state = running()
        check(state.end(epoch: 1))
        check(!state.end(epoch: 1))
        check(!state.end(epoch: nil))
        check(!state.cancel())
    }

    @Test
    func whatBelongsToAnEarlierAttemptIsLate() {
        var state = running(attempt: 2)
        check(!state.receive(epoch: 1))
        check(!state.end(epoch: 1))
        check(state.receive(epoch: 2))
        check(!state.handOver(epoch: 1))
        check(state.handOver(epoch: 2))
    }

    @Test
    func anEndThatIsBeingDecidedIsLeftAlone() {
        var state = running()
        check(state.receive(epoch: 1))
        check(state.decide())
        check(!state.decide())
        check(!state.handOver(epoch: 1) && !state.end(epoch: 1) && !state.receive(epoch: 2))
        if case .ignore = state.submit(.retry(limit: 3)) {} else { Issue.record("a decided request is not retried") }
        if case .ignore = state.start(limit: 3) {} else { Issue.record("a decided request is not started") }
        check(state.isActive)
        check(state.end(epoch: 2))
    }

    @Test(arguments: [0, 1, 4])
    func soManyRetriesAreAllowedAndNoMore(limit: Int) {
        var state = ExecutionState()
        _ = state.submit(.execute)
        for attempt in 1...(limit + 1) {
            check(state.start(limit: limit) == .run(epoch: attempt, attempt: attempt))
            check(state.receive(epoch: attempt))
            check(state.submit(.retry(limit: limit)) == (attempt <= limit ? .submit : .endAtLimit))
        }
    }

    @Test
    func retryCountsOncePerAttempt() {
        var state = running()
        check(state.receive(epoch: 1))
        check(state.submit(.retry(limit: 3)) == .submit)
        guard case .ignore = state.submit(.retry(limit: 3)) else { return check(false, "a second retry counts") }
    }

    @Test
    func aRetryWhileHandlersHearOfTheEndWaitsForThem() {
        var state = running()
        check(state.end(epoch: 1))
        check(state.submit(.retry(limit: 3)) == .queued)
        check(state.delivered())
        check(state.start(limit: 3) == .run(epoch: 2, attempt: 2))
    }

    @Test
    func aCancelledRequestIsNotRetriedButMayBeExecutedAfresh() {
        var state = running()
        check(state.cancel())
        guard case .ignore = state.submit(.retry(limit: 3)) else { return check(false, "cancelled for good") }
        check(!state.delivered())
        guard case .ignore = state.submit(.retry(limit: 3)) else { return check(false, "cancelled for good") }
        check(state.submit(.execute) == .submit)
        check(state.start(limit: 3) == .run(epoch: 2, attempt: 1))
    }

    @Test
    func cancellationTakesBackAQueuedRetry() {
        var state = running()
        check(state.end(epoch: 1))
        check(state.submit(.retry(limit: 3)) == .queued)
        check(!state.cancel())
        check(!state.delivered())
    }

    @Test
    func cancellingBeforeTheStartEndsTheNextExecution() {
        var state = ExecutionState()
        check(!state.cancel())
        check(state.submit(.execute) == .submit)
        check(state.start(limit: 3) == .endCancelled)
        check(state.end(epoch: nil))
    }

    @Test
    func aSubclassThatPassesACancelledRequestOnSendsNothing() {
        var state = ExecutionState()
        _ = state.submit(.execute)
        check(state.cancel())
        _ = state.delivered()
        guard case .ignore = state.start(limit: 3) else { return check(false, "it was cancelled") }
    }

    @Test
    func aCancelledRequestOnItsWayToTheStartIsNotQueuedBehindItsEnd() {
        var state = running()
        check(state.receive(epoch: 1))
        check(state.submit(.retry(limit: 3)) == .submit)
        check(state.cancel())
        guard case .ignore = state.start(limit: 3) else { return check(false, "it was cancelled") }
        check(!state.delivered())
        check(state.phase == .ended)
    }

    /// `#expect` itself takes no expression that changes what it looks at.
    private func check(_ holds: Bool, _ comment: Comment? = nil, at place: SourceLocation = #_sourceLocation) {
        #expect(holds, comment, sourceLocation: place)
    }
}
