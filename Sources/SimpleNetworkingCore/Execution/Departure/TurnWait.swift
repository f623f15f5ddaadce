import SimpleNetworkingSupport

/// An execution's record of its waits.
struct TurnWait {
    /// The number of seconds that the attempt has waited before its requests were sent.
    var waited: TimeInterval = 0
    /// Whether a request of the execution or of its follow-up has had a turn, so that the next isn't refused one.
    var hasHadTurn = false
    /// The time at which the execution went on with another target; nil before that.
    var followUpStart: TimeInterval?

    /// Notes that another attempt for the same target begins.
    mutating func begin() { waited = 0 }

    /// Notes that the execution goes on with another target.
    mutating func beginFollowUp(at time: TimeInterval) { self = TurnWait(followUpStart: time) }
}

extension Execution {
    /// Whether other requests wait for the request, because a refresh, a body or a status handler made it.
    var isUrgent: Bool {
        state.withLock { $0.inherited.refreshScope.isAwaited || $0.inherited.budget.isOfStatusHandler }
    }

    /// The time of the execution or of its follow-up, which decides the request's position among those that wait.
    ///
    /// This time also applies after a rejected attempt.
    var turnStart: TimeInterval { state.withLock { $0.attempt.turn.followUpStart ?? $0.log.start } }

    /// Notes that the execution goes on with another target, whose request waits behind all others.
    func noteFollowUp() {
        let now = clock.now
        state.withLock { $0.attempt.turn.beginFollowUp(at: now) }
    }

    /// The number of seconds that the attempt has waited before its requests were sent.
    var waited: TimeInterval { state.withLock { $0.attempt.turn.waited } }

    /// Adds seconds that don't count against the attempt's timeout.
    func noteWait(_ seconds: TimeInterval) { state.withLock { $0.attempt.turn.waited += seconds } }

    var hasHadTurn: Bool { state.withLock { $0.attempt.turn.hasHadTurn } }

    /// Notes that the attempt has a turn.
    func noteTurn(hasWaited: Bool) {
        state.withLock { state in
            state.attempt.turn.hasHadTurn = true
            state.inherited.credential.noteTurn(hasWaited: hasWaited)
        }
    }
}
