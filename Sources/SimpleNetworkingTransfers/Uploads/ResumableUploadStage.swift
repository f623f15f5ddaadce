import SimpleNetworkingFeatureSupport

/// Resumes an upload where it was interrupted, if the server has offered to resume it.
///
/// The execution keeps the upload, so that a later attempt, such as an attempt with a new credential, also resumes it.
struct ResumableUploadStage: Middleware {
    let draft: UploadDraft
    let record: UploadRecord?
    let attempt: Attempt

    /// The maximum number of consecutive interruptions without progress after which the upload still resumes.
    private static let maxInterruptions = 5
    /// The maximum number of interruptions in total, because a server could accept one byte at a time.
    private static let maxTotal = 1_000

    /// The records that are in use, because two uploads of one file would disturb each other.
    private static let records = ExclusiveFiles()

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard let record else { return try await upload(request, next) }
        return try await Self.records.withFile(at: record.file, for: request, attempt.clock) {
            try await upload(request, next)
        }
    }

    private func upload(_ request: TransportRequest, _ next: @escaping Next) async throws -> TransportResponse {
        let answer = Locked<TransportResponse?>(nil)
        let sendForOneUser = sendingForOneUser(next)
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
                attempt: attempt,
                next: sendForOneUser
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
            attempt.record(.note(UploadNote.interrupted(resumesAfter: delay)))
            try await attempt.pause(delay)
        }
    }

    /// Sends each request of the upload unless the user has changed, so that the next user's data isn't sent.
    private func sendingForOneUser(_ next: @escaping Next) -> Next {
        { [attempt] request in
            try attempt.checkUser()
            return try await next(request)
        }
    }

    /// The statuses after which the same upload may continue, with a new credential or later.
    static let passing: Set<Int> = [401, 403, 407, 408, 425, 429]

    /// Forgets an upload that is complete or refused.
    private func end(_ upload: UploadAttempt, _ outcome: UploadAttempt.Outcome) async {
        guard case .success(let response) = outcome, !Self.passing.contains(response.httpStatus) else { return }
        let isKnown = upload.known != nil
        upload.forget()
        // A signature may have changed the URL of the request that began it.
        guard isKnown, let change = attempt.changeReaction,
            let signed = try? await attempt.preview(upload.request), signed.url != upload.request.url
        else { return }
        await change([signed.url], response.httpStatus, response.headers)
    }

    /// Returns the number of seconds until the upload resumes, or nil if it fails.
    private func delay(after outcome: UploadAttempt.Outcome, count: Int) -> TimeInterval? {
        count <= Self.maxInterruptions ? attempt.delay(beforeRetry: count, after: outcome) : nil
    }
}
