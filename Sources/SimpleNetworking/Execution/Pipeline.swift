/// The way of a request: the ordered list of stages.
///
/// Reading `stages` is reading the architecture.
struct Pipeline: Sendable {
    let plan: RequestPlan
    let log: EventLog

    /// A stage that has nothing to do for this request is left out.
    private var stages: [any Middleware] {
        var stages: [any Middleware] = []
        stages.reserveCapacity(4)
        if let guarding = plan.guarding { stages.append(AuthenticationStage(guarding: guarding, plan: plan, log: log)) }
        if isPrepared { stages.append(PreparationStage(plan: plan, log: log)) }
        let arrival = Locked(ContentStage.Arrival.none)
        if !plan.middleware.isEmpty, !plan.destination.isMemory {
            stages.append(AnswerStage(plan: plan, log: log, arrival: arrival))
        }
        stages += plan.middleware
        if !plan.middleware.isEmpty { stages.append(WithholdingStage(plan: plan, log: log)) }
        stages.append(RedirectStage(plan: plan, log: log))
        if let report = plan.progress { stages.append(ProgressStage(report: report, log: log)) }
        if case .file(let file) = plan.destination { stages.append(DownloadStage(destination: file)) }
        if let jar = plan.cookieJar { stages.append(CookieStage(jar: jar)) }
        if plan.cache != nil || plan.cachePolicy == .onlyCached || plan.cachePolicy.directive != nil {
            stages.append(CacheStage(plan: plan, log: log))
        }
        if mayHaveSink { stages.append(ContentStage(destination: plan.destination, arrival: arrival)) }
        stages.append(TransportStage(plan: plan, log: log))
        return stages
    }

    /// Makes attempts until one is the last.
    ///
    /// What it returns is small: the frames of a request in flight are all the memory that a crowd of them needs.
    func run() async -> Verdict {
        plan.mayRetry ? await Retries(pipeline: self).verdict() : await attempt(plan.request)
    }

    /// Runs the stages once.
    func attempt(_ request: TransportRequest) async -> Verdict {
        if !isPrepared { plan.recordAttempt(request, withheld: plan.withheld, log) }
        do {
            return plan.verdict(on: try await Self.proceed(request, through: stages[...]), log)
        } catch {
            return .failed(failure(for: error, of: request))
        }
    }

    /// Whether a stage looks over each attempt just before it is sent, and counts it: an authenticator may send several.
    private var isPrepared: Bool { plan.hooks.prepare != nil || plan.guarding != nil }

    /// Whether content may have to go elsewhere than to memory: user code may change an attempt's sink.
    private var mayHaveSink: Bool { !plan.destination.isMemory || !plan.middleware.isEmpty || isPrepared }

    private func failure(for error: any Error, of request: TransportRequest) -> SimpleNetworkingError {
        let error = SimpleNetworkingError(error, head: request.head)
        if !error.isCancellation, error.response == nil { log.record(.failed(error)) }
        return error
    }

    private static func proceed(
        _ request: TransportRequest,
        through stages: ArraySlice<any Middleware>
    ) async throws -> TransportResponse {
        guard let stage = stages.first else { preconditionFailure("the last stage calls the transport") }
        return try await stage.intercept(request) { try await proceed($0, through: stages.dropFirst()) }
    }
}
