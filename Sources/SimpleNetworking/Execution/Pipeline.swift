/// The ordered list of stages that a request passes through.
struct Pipeline: Sendable {
    let plan: RequestPlan
    let execution: Execution
    /// The number of the first attempt, which is counted unless it has to be prepared.
    let attempt: Int

    /// Stages without work for this request are left out.
    private var stages: [any Middleware] {
        var stages: [any Middleware] = []
        stages.reserveCapacity(4)
        if let authenticator = plan.settings.configuration.authenticator {
            stages.append(AuthenticationStage(authenticator: authenticator, plan: plan, execution: execution))
        }
        if plan.isPrepared { stages.append(PreparationStage(plan: plan, execution: execution)) }
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
    func run() async -> AttemptResult {
        plan.mayRetry ? await Retries(pipeline: self).run() : await send(plan.request, attempt)
    }

    /// Runs the stages once.
    func send(_ request: TransportRequest, _ attempt: Int) async -> AttemptResult {
        do {
            let response = try await Self.next(through: stages[...])(request)
            return plan.result(of: response, attempt: plan.isPrepared ? execution.sentAttempt : attempt)
        } catch {
            let error = SimpleNetworkingError(error, head: request.head)
            if !error.isCancellation, error.response == nil { execution.record(.failed(error)) }
            return .failure(error)
        }
    }

    private static func next(through stages: ArraySlice<any Middleware>) -> Middleware.Next {
        guard let stage = stages.first else {
            return { _ in preconditionFailure("the last stage calls the transport") }
        }
        return { try await stage.intercept($0, next: next(through: stages.dropFirst())) }
    }
}
