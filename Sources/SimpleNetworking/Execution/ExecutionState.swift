/// Decides what may happen to a request next, so that each of its executions ends exactly once.
///
/// A pure state machine: its functions change the phase and return what the holder has to do. The holder keeps it under
/// a lock and acts after the lock is gone.
struct ExecutionState {
    enum Phase {
        /// Never executed.
        case idle
        /// On its way through `execute(request:)`, which a subclass may hold up.
        case submitted
        /// In the pipeline.
        case running
        /// A response is here, and status handlers look at it.
        case handling
        /// A status handler returned false: the request is in the hands of whoever holds it.
        case handedOver
        /// A response was brought by other means than the pipeline, and is decoded; then the outcome is fixed.
        case deciding
        /// The outcome is fixed, and handlers hear of it.
        case ending
        /// All handlers have heard of the outcome.
        case ended
    }

    enum Submission { case execute, retry(limit: Int) }

    enum SubmitAction: Equatable {
        /// Go through `execute(request:)` now.
        case submit
        /// It will be submitted when the handlers of the ended execution have run.
        case queued
        /// The retry limit is reached: end with the last response's error.
        case endAtLimit
        case ignore(String)
    }

    enum StartAction: Equatable {
        case run(epoch: Int, attempt: Int)
        case queued
        case endAtLimit
        /// It was cancelled before it was executed: end with `.cancelled`, send nothing.
        case endCancelled
        case ignore(String)
    }

    private(set) var phase = Phase.idle
    /// The number of the attempt, from 1.
    ///
    /// It goes on counting when `retry()` starts a new execution.
    private(set) var attempt = 0
    /// Changes with each start, so that what belongs to an earlier one is known as late.
    private(set) var epoch = 0
    /// Whether the first attempt that runs is that of a further page.
    private(set) var isFurtherPage = false
    private var queued = false
    private var isCancelled = false
    private var wasCancelledBeforeStart = false
    private var ignoresNextStart = false

    var isActive: Bool {
        switch phase {
        case .idle, .ending, .ended: false
        case .submitted, .running, .handling, .handedOver, .deciding: true
        }
    }

    /// Whether it was neither executed nor cancelled.
    var isUntouched: Bool { phase == .idle && !wasCancelledBeforeStart }

    /// - Parameters:
    ///   - submission: What is asked for.
    ///   - start: The epoch in which a status handler got the request in hand, if it is one that asks.
    /// - Returns: What to do about it.
    mutating func submit(_ submission: Submission, inHandSince start: Int? = nil) -> SubmitAction {
        if let start, start != epoch, phase == .handling || phase == .handedOver {
            // The attempt that it asked for is back already.
            return .ignore("a second retry() of one attempt does nothing")
        }
        switch (phase, submission) {
        case (.idle, .retry): return .ignore("retry() before the request was ever executed does nothing")
        case (.idle, .execute), (.ended, .execute):
            attempt = 0
            return claim()
        case (.submitted, .execute), (.running, .execute): return .ignore("the request is being executed already")
        case (.submitted, .retry), (.running, .retry): return .ignore("a second retry() of one attempt does nothing")
        // Executed by its own status handler: the same as a retry, and as limited.
        case (.handling, .execute), (.handedOver, .execute): return claim()
        case (.deciding, _): return .ignore("the request is about to end")
        case (.handling, .retry(let limit)), (.handedOver, .retry(let limit)):
            return attempt > limit ? .endAtLimit : claim()
        case (.ending, .execute):
            attempt = 0
            queued = true
            return .queued
        case (.ending, .retry(let limit)), (.ended, .retry(let limit)):
            if isCancelled { return .ignore("a cancelled request is not retried; execute it again instead") }
            if queued { return .ignore("a second retry() of one attempt does nothing") }
            if attempt > limit { return .ignore("the request has used up its \(limit) retries") }
            if case .ended = phase { return claim() }
            queued = true
            return .queued
        }
    }

    private mutating func claim() -> SubmitAction {
        isFurtherPage = false
        ignoresNextStart = false
        phase = .submitted
        return .submit
    }

    /// The one door, `execute(request:)`, was passed.
    mutating func start(limit: Int) -> StartAction {
        if wasCancelledBeforeStart, phase == .idle || phase == .submitted {
            wasCancelledBeforeStart = false
            attempt = 1
            phase = .submitted
            return .endCancelled
        }
        switch phase {
        case .running: return .ignore("the request is being executed already")
        case .deciding: return .ignore("the request is about to end")
        case .ending where ignoresNextStart, .ended where ignoresNextStart:
            ignoresNextStart = false
            return .ignore("the request was cancelled before it was sent")
        case .idle, .ended:
            attempt = 0
            isFurtherPage = false
        case .submitted: break
        case .handling, .handedOver: if attempt > limit { return .endAtLimit }
        case .ending:
            attempt = 0
            queued = true
            return .queued
        }
        if attempt > limit { return .endAtLimit }
        phase = .running
        isCancelled = false
        attempt += 1
        epoch += 1
        return .run(epoch: epoch, attempt: attempt)
    }

    mutating func receive(epoch: Int) -> Bool {
        guard phase == .running, self.epoch == epoch else { return false }
        phase = .handling
        return true
    }

    /// A response was brought by other means than the pipeline, and no status handler is to look at it.
    ///
    /// It is a start of its own: whatever still looks at an earlier response is late.
    mutating func decide() -> Bool {
        guard isActive, phase != .deciding else { return false }
        phase = .deciding
        epoch += 1
        return true
    }

    /// Whether handlers look at the response of this start.
    func isLookedAt(epoch: Int) -> Bool { self.epoch == epoch && (phase == .handling || phase == .deciding) }

    /// A page was handled and a further one is wanted: attempts are counted anew.
    mutating func turnPage(epoch: Int) -> Bool {
        guard isLookedAt(epoch: epoch) else { return false }
        phase = .submitted
        attempt = 0
        isFurtherPage = true
        return true
    }

    mutating func handOver(epoch: Int) -> Bool {
        guard phase == .handling, self.epoch == epoch else { return false }
        phase = .handedOver
        return true
    }

    /// Fixes the outcome.
    ///
    /// `epoch` is nil for whoever may end any attempt: `cancel()`, the deadline, the last owner.
    mutating func end(epoch: Int?) -> Bool {
        guard isActive else { return false }
        if let epoch {
            guard self.epoch == epoch else { return false }
            guard phase == .running || phase == .handling || phase == .deciding else { return false }
        }
        phase = .ending
        return true
    }

    /// Says whether there was something to end.
    mutating func cancel() -> Bool {
        if phase == .idle { wasCancelledBeforeStart = true }
        let wasSubmitted = phase == .submitted
        // A cancelled request stays cancelled though a handler of it has asked for another execution.
        if phase == .ending, queued {
            queued = false
            isCancelled = true
        }
        guard end(epoch: nil) else { return false }
        isCancelled = true
        ignoresNextStart = wasSubmitted
        return true
    }

    /// All handlers have run.
    ///
    /// Says whether a new execution was asked for meanwhile.
    mutating func delivered() -> Bool {
        phase = .ended
        isFurtherPage = false
        defer { queued = false }
        if queued { phase = .submitted }
        return queued
    }

    /// A handler came after the end.
    ///
    /// Says whether handlers have to run again.
    mutating func reopen() -> Bool {
        guard phase == .ended else { return false }
        phase = .ending
        return true
    }
}
