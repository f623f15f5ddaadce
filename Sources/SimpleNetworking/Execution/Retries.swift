/// Sends an attempt that failed again, as far as the retry policy or the client's `shouldRetry` wants it, with the
/// client's header fields as they are then.
struct Retries: Sendable {
    let pipeline: Pipeline

    private var plan: RequestPlan { pipeline.plan }
    private var log: EventLog { pipeline.log }

    func verdict() async -> Verdict {
        var request = plan.request
        var attempts = 0
        while true {
            let sent = log.attempt
            let verdict = await pipeline.attempt(request)
            attempts += 1
            // What was never sent is wrong in itself, and stays so.
            guard log.attempt > sent else { return verdict }
            do {
                guard let delay = try await delay(after: verdict, of: request.head, attempts: attempts) else {
                    return verdict
                }
                log.record(.retry(after: delay))
                if delay > 0 { try await plan.clock.sleep(delay) }
                request = try plan.remake?() ?? request
            } catch {
                return .failed(SimpleNetworkingError(error, head: request.head, response: verdict.response))
            }
        }
    }

    /// Gives the seconds until the next attempt, or nil if there is none.
    private func delay(after verdict: Verdict, of head: RequestHead, attempts: Int) async throws -> TimeInterval? {
        guard plan.destination.canBeginAgain else { return nil }
        if let delay = plan.retryPolicy.delay(afterAttempt: attempts, of: head, outcome: verdict.outcome) {
            return delay
        }
        guard let shouldRetry = plan.hooks.shouldRetry, attempts <= plan.maxRetries, let error = verdict.error,
            !error.isCancellation
        else { return nil }
        return try await shouldRetry(error, log.attempt) ? 0 : nil
    }
}

extension Verdict {
    fileprivate var outcome: RetryPolicy.Outcome {
        switch self {
        case .answered(let response, _): .answer(response.httpStatus, response.headers)
        case .failed(let error): .failure(error)
        }
    }
}
