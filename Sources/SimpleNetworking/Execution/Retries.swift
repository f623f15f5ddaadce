/// Sends a failed attempt again if the retry policy or the client's `shouldRetry` wants it; wraps the stages.
///
/// Each attempt has the client's current header fields.
struct Retries: Sendable {
    let pipeline: Pipeline

    private var plan: RequestPlan { pipeline.plan }
    private var execution: Execution { pipeline.execution }

    func run() async -> AttemptResult {
        var request = plan.request
        var attempt = pipeline.attempt
        var attempts = 0
        while true {
            let result = await pipeline.send(request, attempt)
            attempts += 1
            // What was never sent is wrong in itself, and stays so.
            let sent = execution.sentAttempt
            guard !plan.isPrepared || sent > attempt else { return result }
            attempt = sent
            do {
                guard let delay = try await delay(after: result, of: request.head, attempts: attempts) else {
                    return result
                }
                execution.record(.retry(after: delay))
                if delay > 0 { try await plan.clock.sleep(delay, for: .retry) }
                request = try plan.remake()
                if !plan.isPrepared { attempt = execution.countAttempt(request, withheld: plan.withheld) }
            } catch {
                return .failure(SimpleNetworkingError(error, head: request.head, response: result.response))
            }
        }
    }

    /// Returns the seconds until the next attempt, or nil if there is none.
    private func delay(after result: AttemptResult, of head: RequestHead, attempts: Int) async throws -> TimeInterval? {
        guard plan.destination.canBeginAgain else { return nil }
        let random = plan.scheduler?.random ?? { .random(in: $0) }
        if let delay = plan.retryPolicy.delay(afterAttempt: attempts, of: head, result: result, random: random) {
            // Otherwise the wait would be in vain, and its end would hide what the server said.
            return execution.hasTime(for: delay) ? delay : nil
        }
        guard let shouldRetry = plan.hooks.shouldRetry, attempts <= plan.settings.configuration.maxRetries,
            let error = result.error,
            !error.isCancellation
        else { return nil }
        let mayRetry = try await shouldRetry(error, execution.sentAttempt)
        try Task.checkCancellation()
        return mayRetry ? 0 : nil
    }
}
