/// Resumes an upload where it was interrupted, if the server has offered that.
///
/// The execution keeps the upload, so that a later attempt, for example with a new credential, resumes it too.
struct UploadStage: Middleware {
    let draft: UploadDraft
    let plan: RequestPlan
    let execution: Execution

    /// The number of interruptions in a row without any progress after which the upload fails.
    private static let maxInterruptions = 5

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        let answer = Locked<TransportResponse?>(nil)
        var interruptions = 0
        while true {
            // A file may have changed since the interruption.
            guard let content = try UploadContent(request.body) else { return try await next(request) }
            let upload = UploadAttempt(request, content, answer, draft, plan, execution, next)
            let offset = upload.known?.offset ?? 0
            let outcome = await upload.proceed()
            guard let known = upload.known, upload.isInterrupted(by: outcome) else {
                await end(request, outcome)
                return try outcome.get()
            }
            interruptions = known.offset > offset ? 1 : interruptions + 1
            guard let delay = delay(after: outcome, count: interruptions) else { return try outcome.get() }
            execution.record(.upload(.interrupted(resumesAfter: delay)))
            if delay > 0 { try await plan.clock.sleep(delay, for: .retry) }
            execution.noteWait(delay)
        }
    }

    /// The statuses after which the same upload may continue, with a new credential or later.
    private static let passing: Set<Int> = [401, 403, 407, 408, 425, 429]

    /// Forgets an upload that is complete or refused, and what the cache stored for the target of a complete one.
    private func end(_ request: TransportRequest, _ outcome: UploadAttempt.Outcome) async {
        guard case .success(let response) = outcome, !Self.passing.contains(response.httpStatus) else { return }
        execution.upload = nil
        // The cache, further down, may have seen only the upload's own URL.
        let cache = plan.settings.configuration.cache
        await cache?.invalidate(after: request.head, status: response.httpStatus, response.headers)
    }

    /// Returns the number of seconds until the upload resumes, or nil if it fails.
    private func delay(after outcome: UploadAttempt.Outcome, count: Int) -> TimeInterval? {
        guard count <= Self.maxInterruptions else { return nil }
        let policy = plan.retryPolicy
        let random = plan.scheduler?.random ?? { .random(in: $0) }
        var delay = policy.backoff.delay(beforeRetry: count, random: random)
        if case .success(let response) = outcome,
            let requested = RetryPolicy.retryAfter(response.headers, now: Date())
        {
            guard requested <= policy.maxRetryAfter else { return nil }
            delay = requested
        }
        return execution.hasTime(for: delay) && plan.takeRetry(for: execution) ? delay : nil
    }
}

extension Execution {
    /// The upload that the server has offered to resume, and its content.
    struct Upload: Sendable {
        var state: ResumableUpload
        let content: UploadContent
    }

    var upload: Upload? {
        get { state.withLock { $0.upload } }
        set { state.withLock { $0.upload = newValue } }
    }
}
