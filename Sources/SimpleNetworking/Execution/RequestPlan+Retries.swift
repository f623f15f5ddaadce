/// Decides on retries by the request's policy and the client's allowance.
extension RequestPlan {
    /// Returns the number of seconds until the retry that the policy requests, or nil if it requests none.
    func retryDelay(afterAttempt attempt: Int, of head: RequestHead, _ result: AttemptResult) -> TimeInterval? {
        let traffic = settings.configuration.traffic
        // The client has given up on connecting, and the policy doesn't begin that again.
        if traffic.waitsForConnectivity, let error = result.error, ConnectivityStage.isUnreachable(error) { return nil }
        return retryPolicy.delay(
            afterAttempt: attempt,
            of: head,
            result: result,
            heedsServer: traffic.heedsServer,
            random: random
        )
    }

    /// Chooses the part of a delay that jitter leaves.
    ///
    /// In a simulation, the scheduler chooses this part.
    var random: (ClosedRange<Double>) -> Double { scheduler?.random ?? { .random(in: $0) } }

    /// Returns whether the client may retry now.
    func takeRetry(for execution: Execution) -> Bool {
        let allowance = settings.configuration.retryAllowance
        if allowance?.takeRetry(at: clock.now) ?? true { return true }
        execution.record(.retryRefused)
        return false
    }
}
