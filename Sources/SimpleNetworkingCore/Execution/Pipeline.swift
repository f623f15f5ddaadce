import SimpleNetworkingSupport

/// The ordered stages that a request passes through, and the retries that wrap them.
struct Pipeline: Sendable {
    let plan: RequestPlan
    let execution: Execution
    /// The first request, and the names of the fields withheld because its URL is outside the trusted origins.
    let first: (request: TransportRequest, withheld: [String])
    /// The number of the first attempt, which is counted unless it must be prepared.
    let attempt: Int
    var round: Int { plan.round }

    /// What features keep of the attempt's responses, once they count.
    private let commits: Commits?

    init(
        plan: RequestPlan,
        execution: Execution,
        first: (request: TransportRequest, withheld: [String]),
        attempt: Int
    ) {
        self.plan = plan
        self.execution = execution
        self.first = first
        self.attempt = attempt
        commits = plan.features.isEmpty ? nil : Commits()
    }

    /// The stages between an attempt and the transport; stages without work for this request are omitted.
    ///
    /// The property is nil if all stages are omitted. A plain request doesn't need closures, whose stack frames would
    /// wait with it.
    private var chain: Middleware.Next? {
        if isPlain { return nil }
        let middleware = plan.middleware
        let above = middleware.aboveNetwork
        let mayHaveSink = !plan.destination.isMemory || !middleware.isEmpty || plan.isPrepared
        let arrival = mayHaveSink ? Locked(ContentStage.Arrival.none) : nil

        // User code sees requests before they are signed, and may take any time.
        let (authentication, signer) = authentication
        var outer = authentication
        if plan.isPrepared {
            outer.append(PreparationStage(plan: plan, execution: execution, withheld: first.withheld))
        }
        if !above.isEmpty {
            if !plan.destination.isMemory, let arrival {
                outer.append(MiddlewareContentStage(plan: plan, execution: execution, arrival: arrival))
            }
            let limit = Locked(0)
            outer += [MiddlewareLimitStage(destination: plan.destination, limit: limit)] + above
            outer.append(WithholdingStage(plan: plan, execution: execution, limit: limit))
        }

        // Redirects are followed between the two lists, so each redirect passes the inner stages.
        let departure = departure(signer)
        var inner: [any Middleware] = []
        if let report = plan.progress { inner.append(ProgressStage(report: report, execution: execution)) }
        if let store = plan.destination.store { inner.append(store.stage(for: Delivery(of: departure.attempt))) }
        inner += departure.attempt.stages(at: .split)
        inner += departure.attempt.stages(at: .lookUp)
        inner += departure.attempt.stages(at: .content)
        // User code may change the sink of an attempt.
        if let arrival {
            var content = ContentStage(plan: plan, arrival: arrival)
            content.headAsSent = { [execution] in execution.lastHead }
            inner.append(content)
        }
        // Before joining a transfer, because each request waits for a connection only until its own deadline.
        inner += departure.attempt.stages(at: .connection)
        inner += departure.attempt.stages(at: .joining)
        inner.append(departure)
        inner += middleware.atNetwork.map { NetworkStage(middleware: $0, execution: execution) } as [any Middleware]
        inner += middleware.atDeparture

        let send = inner.leading { [plan, execution] in try await plan.transmit($0, for: execution) }
        return outer.leading { [plan, execution] request in
            try await plan.followRedirects(of: request, for: execution, send)
        }
    }

    /// Whether no stage has work for the request.
    private var isPlain: Bool {
        guard plan.destination.isMemory, plan.middleware.isEmpty, plan.features.isEmpty,
            !plan.isPrepared, plan.progress == nil, plan.suspension == nil,
            // A request whose `Expect` is refused departs again.
            !first.request.hasExpectation
        else { return false }
        // Something may have happened before this task began.
        return plan.client.settings === plan.settings && !execution.isSuspended
    }

    private func departure(_ signer: (any RequestSigner)?) -> DepartureStage {
        let isUrgent = execution.isUrgent
        return DepartureStage(
            attempt: Attempt(plan: plan, execution: execution, signer: signer, commits: commits, isUrgent: isUrgent)
        )
    }

    private var authentication: (stage: [any Middleware], signer: (any RequestSigner)?) {
        func stage<Scheme: Authenticator>(_ authenticator: Scheme) -> ([any Middleware], (any RequestSigner)?) {
            let signer = CredentialSigner(authenticator, plan, execution)
            return ([AuthenticationStage(signer: signer, commits: commits)], signer)
        }
        guard let authenticator = plan.settings.configuration.authenticator else { return ([], nil) }
        return stage(authenticator)
    }

    // Each waiting function needs its own frame, with room for all its branches. Therefore, the functions that a plain
    // request passes are inlined into one, and the others are not.

    /// Makes the only attempt, if no second one is possible.
    @inline(__always)
    func run() async -> AttemptResult { await send(first.request, attempt) }

    @inline(__always)
    private func send(_ request: TransportRequest, _ attempt: Int) async -> AttemptResult {
        do {
            if let chain { return result(of: try await chain(request), to: request, attempt) }
            return result(of: try await plan.followRedirects(of: request, for: execution), to: request, attempt)
        } catch {
            return failure(error, of: request)
        }
    }

    // Inlined, these two would enlarge the frame that waits.

    @inline(never)
    private func result(of response: TransportResponse, to request: TransportRequest, _ attempt: Int) -> AttemptResult {
        let attempt = plan.isPrepared ? execution.sentAttempt : attempt
        let result = plan.result(of: response, to: request.head, attempt: attempt)
        if let commits { if plan.isRejected(result) { commits.drop() } else { commits.run() } }
        return result
    }

    @inline(never) private func failure(_ error: any Error, of request: TransportRequest) -> AttemptResult {
        commits?.drop()
        let error = SimpleNetworkingError(error, head: request.head)
        if !error.isCancellation, error.response == nil { execution.record(.failed(error)) }
        return .failure(error)
    }

    /// Sends the request, and delivers acceptable content that is still in memory to its file or reader.
    func transfer() async -> AttemptResult {
        let result = await retry()
        guard case .response(let response, nil) = result else { return result }
        do {
            return .response(try await plan.deliverFinal(response, to: first.request, for: execution), nil)
        } catch {
            return failure(error, of: first.request)
        }
    }

    /// Sends a failed attempt again if the retry policy or the client's `shouldRetry` requests it.
    ///
    /// Each attempt has the client's current header fields.
    func retry() async -> AttemptResult {
        var request = first.request
        var attempt = self.attempt
        var attempts = 0
        while true {
            let result = await send(request, attempt)
            attempts += 1
            // A request that was never sent is invalid, and would be invalid again.
            let sent = execution.sentAttempt
            guard !plan.isPrepared || sent > attempt else { return result }
            attempt = sent
            do {
                guard let delay = try await delay(after: result, of: request.head, attempts: attempts),
                    plan.takeRetry(for: execution)
                else { return result }
                execution.record(.retry(after: delay))
                if delay > 0 { try await plan.clock.sleep(delay, for: .retry) }
                // A transfer in memory isn't suspended, but what follows it is.
                try await execution.waitWhileSuspended()
                let (settings, mark) = plan.client.current
                if !isSigned(with: settings), !execution.renewCredential(mark) { throw execution.foreignAccount }
                request = try plan.attempt(with: settings).request
                if !plan.isPrepared { attempt = execution.countAttempt(request.head, withheld: first.withheld) }
            } catch { return .failure(SimpleNetworkingError(error, head: request.head, response: result.response)) }
        }
    }

    /// Returns whether an authenticator checks the user of another attempt itself, because the stages stay the same.
    private func isSigned(with settings: SimpleNetworking.Settings) -> Bool {
        plan.settings.configuration.authenticator != nil && settings.configuration.authenticator != nil
    }

    /// Returns the number of seconds until the next attempt, or nil if there is no next attempt.
    private func delay(after result: AttemptResult, of head: RequestHead, attempts: Int) async throws -> TimeInterval? {
        guard plan.destination.canBeginAgain else { return nil }
        let asSent = execution.headAsSent ?? head
        if let delay = plan.retryDelay(afterAttempt: attempts, of: asSent, result, execution.failedHead) {
            // Otherwise, the wait would be useless, and its end would hide the server's response.
            return execution.hasTime(for: delay) ? delay : nil
        }
        guard attempts <= plan.settings.configuration.maxRetries, let error = result.error, !error.isCancellation else {
            return nil
        }
        return try await plan.shouldRetry(error, attempt: execution.sentAttempt) ? 0 : nil
    }
}

extension [any Middleware] {
    /// Returns the chain of these stages that ends with `end`.
    fileprivate func leading(to end: @escaping Middleware.Next) -> Middleware.Next {
        // Not `reduce`, which would wrap each closure again.
        var chain = end
        for stage in reversed() { chain = { [chain] in try await stage.intercept($0, next: chain) } }
        return chain
    }
}
