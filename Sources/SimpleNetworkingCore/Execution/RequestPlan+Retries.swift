import SimpleNetworkingSupport

/// Decides on retries by the request's policy and its features.
extension RequestPlan {
    /// Returns the number of seconds until the retry that the policy requests, or nil if it requests none.
    ///
    /// `failedHead` is the head of a response whose content has failed.
    func retryDelay(
        afterAttempt attempt: Int,
        of head: RequestHead,
        _ result: AttemptResult,
        _ failedHead: TransportResponse?
    ) -> TimeInterval? {
        let options = options
        if let error = result.error, options.haveGivenUp(after: error) { return nil }
        return retryPolicy.delay(
            afterAttempt: attempt,
            of: head,
            result: result,
            failed: failedHead.map { ($0.httpStatus, $0.headers) },
            isLimit: { options.isLimit($0, $1) },
            random: random
        )
    }

    /// Chooses the part of a delay that jitter leaves.
    ///
    /// In a simulation, the scheduler chooses this part.
    var random: (ClosedRange<Double>) -> Double { scheduler?.random ?? { .random(in: $0) } }

    /// Returns whether the client may retry now.
    func takeRetry(for execution: Execution) -> Bool {
        features.allSatisfy { $0.takeRetry(for: Attempt(plan: self, execution: execution)) }
    }
}
