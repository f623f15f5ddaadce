import SimpleNetworkingSupport

/// Handles calls in each phase: `retry()` and `execute(on:)`, also beyond `maxRetries` and after the end, and others.
extension ExecutionState {
    /// The result of a call that starts the request: `execute(on:)`, `retry()`, or `execute(request:)`.
    enum Decision: Equatable {
        /// Call `execute(request:)`, or, in that call, run the pipeline.
        case proceed
        /// A new execution begins after the handlers of this execution were notified.
        case queue
        /// This execution has ended, so a new execution begins.
        case begin
        /// The retry limit is reached, so the execution ends with the last response's error.
        case endAtLimit
        /// The delay would end after the deadline, so the execution ends with the last response's error at once.
        case endAtDeadline(delay: Double)
        /// The request was cancelled before it was executed, so it ends and nothing is sent.
        case endCancelled
        case ignore(String)

        static let endedMeanwhile = ignore(
            "the request ended while its status handler ran, and isn't sent again by that"
        )
    }

    /// Handles `execute(on:)`.
    mutating func execute(by holder: Holder, round: Int?, limit: Int) -> Decision {
        switch phase {
        case .submitted, .running: return .ignore("the request is being executed already")
        // A request executed by its own status handler is handled, and limited, like a retry.
        case .handling, .takenOver: return retry(by: holder, round: round, limit: limit)
        case .deciding, .committing: return .ignore("the request is about to end")
        case .ending: return hasEndedMeanwhile(round) ? .endedMeanwhile : queueNext(isFresh: true)
        case .ended: return .begin
        }
    }

    /// Handles `retry()`, called on `holder`.
    ///
    /// `round` is the round in which a status handler received `holder`, or nil for the caller's own object. `limit` is
    /// the client's `maxRetries`. `isInTime` is whether the delay ends before the deadline.
    mutating func retry(
        by holder: Holder,
        round: Int?,
        limit: Int,
        after delay: Double = 0,
        isInTime: Bool = true
    ) -> Decision {
        let again = Decision.ignore("a second retry() of one attempt does nothing")
        switch phase {
        case .submitted, .running: return again
        case .deciding, .committing: return .ignore("the request is about to end")
        case .handling, .takenOver:
            // The attempt that this object requested has already ended.
            if isStale(round) { return again }
            if hasUsedUp(limit) { return .endAtLimit }
            if !isInTime { return .endAtDeadline(delay: delay) }
            return resubmit(by: holder, after: delay)
        case .ending, .ended:
            if isCancelled { return .ignore("a cancelled request is not retried; execute it again instead") }
            // That attempt was retried, or another execution followed its own.
            if next != nil || isStale(round) { return again }
            if hasEndedMeanwhile(round) { return .endedMeanwhile }
            if hasUsedUp(limit) { return .ignore("the request has used up its \(limit) retries") }
            return phase == .ended ? .begin : queueNext(isFresh: false, after: delay)
        }
    }

    /// Returns why `fail(_:)`, `succeed(with:)` or `stop()` does nothing; nil if it may end the execution.
    func refusal(round: Int?) -> String? {
        if isAboutToEnd { return "the request is about to end" }
        if isActive, isStale(round) { return "the request was retried before, and is running again" }
        return nil
    }

    /// Returns whether a status handler has the request or has kept it; `round` is when the handler received it.
    func isInHand(of round: Int?) -> Bool { (phase == .handling || phase == .takenOver) && !isStale(round) }
    /// Returns whether the execution ended unnoticed by the status handler that received its object in `round`.
    func hasEndedMeanwhile(_ round: Int?) -> Bool { phase == .ending && isHandlerUnaware && round == self.round }
}
