/// The ordered stages that a request passes through, and the retries around them.
struct Pipeline: Sendable {
    let plan: RequestPlan
    let execution: Execution
    /// What is sent first, and its number, which is counted unless it has to be prepared.
    let request: TransportRequest
    let attempt: Int
    /// The names of the fields that are not sent, since the URL lies outside the trusted origins.
    let withheld: [String]

    /// The way of an attempt to the transport; stages without work for this request are left out.
    private var way: Middleware.Next {
        let middleware = plan.settings.configuration.middleware
        let mayHaveSink = !plan.destination.isMemory || !middleware.isEmpty || plan.isPrepared
        let arrival = mayHaveSink ? Locked(ContentStage.Arrival.none) : nil

        var stages: [any Middleware] = []
        if let authenticator = plan.settings.configuration.authenticator {
            stages.append(authentication(by: authenticator))
        }
        if plan.isPrepared { stages.append(PreparationStage(plan: plan, execution: execution, withheld: withheld)) }
        if !middleware.isEmpty, !plan.destination.isMemory, let arrival {
            stages.append(MiddlewareContentStage(plan: plan, execution: execution, arrival: arrival))
        }
        stages += middleware
        if !middleware.isEmpty { stages.append(WithholdingStage(plan: plan, execution: execution)) }

        // Between the two lists redirects are followed: the second one is passed by each of them.
        var stagesPerRedirect: [any Middleware] = []
        if let report = plan.progress {
            stagesPerRedirect.append(ProgressStage(report: report, execution: execution))
        }
        if case .file(let file) = plan.destination { stagesPerRedirect.append(DownloadStage(destination: file)) }
        if let jar = plan.settings.configuration.cookieJar { stagesPerRedirect.append(CookieStage(jar: jar)) }
        let cachePolicy = plan.cachePolicy
        if plan.settings.configuration.cache != nil || cachePolicy == .onlyCached || cachePolicy.directive != nil {
            stagesPerRedirect.append(CacheStage(plan: plan, execution: execution))
        }
        // User code may change the sink of an attempt.
        if let arrival { stagesPerRedirect.append(ContentStage(destination: plan.destination, arrival: arrival)) }

        let send = stagesPerRedirect.leading { [plan, execution] in try await plan.transmit($0, for: execution) }
        return stages.leading { [plan, execution] request in
            try await plan.followRedirects(of: request, for: execution, send)
        }
    }

    private func authentication(by authenticator: some Authenticator) -> any Middleware {
        AuthenticationStage(authenticator: authenticator, plan: plan, execution: execution)
    }

    /// Makes attempts until one is the last.
    ///
    /// It returns little: its frame dominates the memory of a request in flight.
    func run() async -> AttemptResult { plan.mayRetry ? await retry() : await send(request, attempt) }

    private func send(_ request: TransportRequest, _ attempt: Int) async -> AttemptResult {
        do {
            return result(of: try await way(request), to: request, attempt)
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

    @inline(never) private func failure(_ error: any Error, of request: TransportRequest) -> AttemptResult {
        let error = SimpleNetworkingError(error, head: request.head)
        if !error.isCancellation, error.response == nil { execution.record(.failed(error)) }
        return .failure(error)
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

extension [any Middleware] {
    /// The way through these stages, and from the last one to `end`.
    fileprivate func leading(to end: @escaping Middleware.Next) -> Middleware.Next {
        reversed().reduce(end) { next, stage in { try await stage.intercept($0, next: next) } }
    }
}
