/// Resumes an upload where it was interrupted, if the server has offered to resume it.
///
/// The execution keeps the upload, so that a later attempt, such as an attempt with a new credential, also resumes it.
struct UploadStage: Middleware {
    let draft: UploadDraft
    let record: UploadRecord?
    let plan: RequestPlan
    let execution: Execution

    /// The maximum number of consecutive interruptions without progress after which the upload still resumes.
    private static let maxInterruptions = 5
    /// The maximum number of interruptions in total, because a server could accept one byte at a time.
    private static let maxTotal = 1_000

    /// The records that are in use, because two uploads of one file would disturb each other.
    private static let records = ExclusiveFiles()

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard let record else { return try await upload(request, next) }
        return try await Self.records.withFile(at: record.file, for: request, plan.clock) {
            try await upload(request, next)
        }
    }

    private func upload(_ request: TransportRequest, _ next: @escaping Next) async throws -> TransportResponse {
        let answer = Locked<TransportResponse?>(nil)
        let next = sendingForOneUser(next)
        var interruptions = 0
        var total = 0
        var mostReceived = 0
        while true {
            // A file may have changed since the interruption.
            guard let content = try UploadContent(request.body) else { return try await next(request) }
            let upload = UploadAttempt(
                request: request,
                content: content,
                answer: answer,
                draft: draft,
                record: record,
                plan: plan,
                execution: execution,
                next: next
            )
            let outcome = await upload.proceed()
            guard let known = upload.known, upload.isInterrupted(by: outcome) else {
                await end(upload, outcome)
                return try outcome.get()
            }
            interruptions = known.offset > mostReceived ? 1 : interruptions + 1
            mostReceived = max(mostReceived, known.offset)
            total += 1
            guard total <= Self.maxTotal, let delay = delay(after: outcome, count: interruptions) else {
                return try outcome.get()
            }
            execution.record(.upload(.interrupted(resumesAfter: delay)))
            if delay > 0 { try await plan.clock.sleep(delay, for: .retry) }
            execution.noteWait(delay)
            try await execution.waitWhileSuspended()
        }
    }

    /// Sends each request of the upload unless the user has changed, so that the next user's cookies aren't sent.
    private func sendingForOneUser(_ next: @escaping Next) -> Next {
        let jar = plan.settings.configuration.cookieJar
        return { [plan, execution] request in
            let (_, mark) = plan.client.current
            let hasOwnCookies = jar.map { execution.belongs(toCookieUser: $0.user) } ?? true
            guard execution.belongs(to: mark.account), hasOwnCookies else { throw execution.foreignAccount }
            return try await next(request)
        }
    }

    /// The statuses after which the same upload may continue, with a new credential or later.
    static let passing: Set<Int> = [401, 403, 407, 408, 425, 429]

    /// Forgets an upload that is complete or refused, and removes stored responses for the target of a complete upload.
    private func end(_ upload: UploadAttempt, _ outcome: UploadAttempt.Outcome) async {
        guard case .success(let response) = outcome, !Self.passing.contains(response.httpStatus) else { return }
        upload.forget()
        // The cache, further down, may have seen only the upload's own URL.
        let cache = plan.settings.configuration.cache
        await cache?.invalidate(after: upload.request.head, status: response.httpStatus, response.headers)
    }

    /// Returns the number of seconds until the upload resumes, or nil if it fails.
    private func delay(after outcome: UploadAttempt.Outcome, count: Int) -> TimeInterval? {
        guard count <= Self.maxInterruptions else { return nil }
        let headers = try? outcome.get().headers
        guard let delay = plan.retryPolicy.delay(beforeRetry: count, after: headers, random: plan.random),
            execution.hasTime(for: delay), plan.takeRetry(for: execution)
        else { return nil }
        return delay
    }
}

extension Execution {
    /// The upload that the server has offered to resume, and its content.
    struct Upload: Sendable {
        let state: ResumableUpload
        let content: UploadContent
        /// The round of the execution that the upload belongs to.
        fileprivate let round: Int
    }

    /// Whether an upload has begun since a handler last requested that the request be sent.
    var hasUploadOfThisRound: Bool { state.withLock { $0.upload?.round == $0.machine.round } }

    func note(_ upload: ResumableUpload, of content: UploadContent) {
        state.withLock { $0.upload = Upload(state: upload, content: content, round: $0.machine.round) }
    }

    var upload: Upload? {
        get { state.withLock { $0.upload } }
        set { state.withLock { $0.upload = newValue } }
    }
}
