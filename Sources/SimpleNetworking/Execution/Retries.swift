/// Sends an attempt that failed again, as far as the retry policy or the client's `shouldRetry` wants it, with the
/// client's header fields as they are then.
struct Retries: Sendable {
    let pipeline: Pipeline
    /// How many attempts of the same execution were sent when this one began.
    let attemptsBefore: Int

    private var plan: RequestPlan { pipeline.plan }
    private var log: EventLog { pipeline.log }

    func verdict() async -> Verdict {
        var request = plan.request
        var verdict = await pipeline.attempt(request)
        var attempts = 1
        do {
            while let delay = try await delay(after: verdict, of: request.head, attempts: attempts) {
                log.record(.retry(after: delay))
                if delay > 0 { try await plan.clock.sleep(delay) }
                attempts += 1
                request = try plan.remake?() ?? request
                verdict = await pipeline.attempt(request)
            }
            return verdict
        } catch {
            return .failed(SimpleNetworkingError(error, head: request.head, response: verdict.response))
        }
    }

    /// Gives the seconds until the next attempt, or nil if there is none.
    private func delay(after verdict: Verdict, of head: RequestHead, attempts: Int) async throws -> TimeInterval? {
        // What was never sent is wrong in itself, and stays so.
        guard log.attempt >= attemptsBefore + attempts else { return nil }
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
    fileprivate var response: SimpleResponse? {
        switch self {
        case .answered(let response, _): response
        case .failed(let error): error.response
        }
    }

    fileprivate var outcome: RetryPolicy.Outcome {
        switch self {
        case .answered(let response, _): .answer(response.httpStatus, response.headers)
        case .failed(let error): .failure(error)
        }
    }
}
