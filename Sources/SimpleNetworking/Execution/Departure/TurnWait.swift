/// An execution's record of its waits.
struct TurnWait {
    /// The number of seconds that the attempt has waited before its requests were sent.
    var waited: TimeInterval = 0
    /// Whether the attempt has had a slot, so that a full queue doesn't refuse it.
    var hasHadTurn = false
    /// The time at which the page was requested, or nil for the first page.
    var pageStart: TimeInterval?
}

extension Execution {
    /// Whether other requests wait for the request, because a refresh, a body or a status handler made it.
    var isUrgent: Bool { state.withLock { $0.refreshScope.isAwaited || $0.budget.isOfStatusHandler } }

    /// The time of the execution or of the page's request, which decides the request's position in the queue.
    ///
    /// This time also applies after a rejected attempt.
    var turnStart: TimeInterval { state.withLock { $0.turn.pageStart ?? $0.log.start } }

    /// Notes that the next page is requested, whose request goes to the end of the queue.
    func notePage() {
        let now = clock.now
        state.withLock { $0.turn.pageStart = now }
    }

    /// The number of seconds that the attempt has waited before its requests were sent.
    var waited: TimeInterval { state.withLock { $0.turn.waited } }

    /// Adds seconds that don't count against the attempt's timeout.
    func noteWait(_ seconds: TimeInterval) { state.withLock { $0.turn.waited += seconds } }

    var hasHadTurn: Bool { state.withLock { $0.turn.hasHadTurn } }

    /// Notes that the attempt has a slot.
    func noteTurn(hasWaited: Bool) {
        state.withLock { state in
            state.turn.hasHadTurn = true
            state.credential.noteTurn(hasWaited: hasWaited)
        }
    }
}
