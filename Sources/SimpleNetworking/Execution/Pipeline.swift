/// The ordered list of stages that a request passes through, and the retries around it.
struct Pipeline: Sendable {
    let plan: RequestPlan
    let execution: Execution
    /// What is sent first, and its number, which is counted unless it has to be prepared.
    let request: TransportRequest
    let attempt: Int
    /// The names of the fields that are not sent, since the URL lies outside the trusted origins.
    let withheld: [String]

    /// Stages without work for this request are left out.
    private var stages: [any Middleware] {
        var stages: [any Middleware] = []
        stages.reserveCapacity(4)
        if let authenticator = plan.settings.configuration.authenticator {
            stages.append(AuthenticationStage(authenticator: authenticator, plan: plan, execution: execution))
        }
        if plan.isPrepared { stages.append(PreparationStage(plan: plan, execution: execution, withheld: withheld)) }
        let middleware = plan.settings.configuration.middleware
        let mayHaveSink = !plan.destination.isMemory || !middleware.isEmpty || plan.isPrepared
        let arrival = mayHaveSink ? Locked(ContentStage.Arrival.none) : nil
        if !middleware.isEmpty, !plan.destination.isMemory, let arrival {
            stages.append(MiddlewareContentStage(plan: plan, execution: execution, arrival: arrival))
        }
        stages += middleware
        if !middleware.isEmpty { stages.append(WithholdingStage(plan: plan, execution: execution)) }
        stages.append(RedirectStage(plan: plan, execution: execution))
        if let report = plan.progress { stages.append(ProgressStage(report: report, execution: execution)) }
        if case .file(let file) = plan.destination { stages.append(DownloadStage(destination: file)) }
        if let jar = plan.settings.configuration.cookieJar { stages.append(CookieStage(jar: jar)) }
        if plan.settings.configuration.cache != nil || plan.cachePolicy == .onlyCached
            || plan.cachePolicy.directive != nil
        {
            stages.append(CacheStage(plan: plan, execution: execution))
        }
        // User code may change the sink of an attempt.
        if let arrival { stages.append(ContentStage(destination: plan.destination, arrival: arrival)) }
        stages.append(TransportStage(plan: plan, execution: execution))
        return stages
    }

    /// Makes attempts until one is the last.
    ///
    /// It returns little: its frame dominates the memory of a request in flight.
    func run() async -> AttemptResult { plan.mayRetry ? await retry() : await send(request, attempt) }

    private func send(_ request: TransportRequest, _ attempt: Int) async -> AttemptResult {
        do {
            return result(of: try await Self.next(through: stages[...])(request), to: request, attempt)
        } catch {
            return failure(error, of: request)
        }
    }

    // Inlined, these two would enlarge the frame that waits.

    @inline(never)
    private func result(of response: TransportResponse, to request: TransportRequest, _ attempt: Int) -> AttemptResult {
        let attempt = plan.isPrepared ? execution.sentAttempt : attempt
        return plan.result(of: response, to: request.head, attempt: attempt)
    }

    @inline(never)
    private func failure(_ error: any Error, of request: TransportRequest) -> AttemptResult {
        let error = SimpleNetworkingError(error, head: request.head)
        if !error.isCancellation, error.response == nil { execution.record(.failed(error)) }
        return .failure(error)
    }

    private static func next(through stages: ArraySlice<any Middleware>) -> Middleware.Next {
        guard let stage = stages.first else {
            return { _ in preconditionFailure("the last stage calls the transport") }
        }
        return { try await stage.intercept($0, next: next(through: stages.dropFirst())) }
    }

    /// Sends a failed attempt again if the retry policy or the client's `shouldRetry` wants it.
    ///
    /// Each attempt has the client's current header fields.
    private func retry() async -> AttemptResult {
        var (request, attempt, attempts) = (request, attempt, 0)
        while true {
            let result = await send(request, attempt)
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
                let (settings, mark) = plan.client.current
                if settings.configuration.authenticator == nil, !execution.belongs(to: mark.account) {
                    throw execution.foreignAccount
                }
                request = try plan.attempt(with: settings).request
                if !plan.isPrepared { attempt = execution.countAttempt(request, withheld: withheld) }
            } catch { return .failure(SimpleNetworkingError(error, head: request.head, response: result.response)) }
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
        guard attempts <= plan.settings.configuration.maxRetries, let error = result.error, !error.isCancellation else {
            return nil
        }
        return try await plan.shouldRetry(error, attempt: execution.sentAttempt) ? 0 : nil
    }
}
