/// The way of a request: the ordered list of stages.
///
/// Reading `stages` is reading the architecture.
struct Pipeline: Sendable {
    let plan: RequestPlan
    let log: EventLog

    /// A stage that has nothing to do for this request is left out.
    private var stages: [any Stage] {
        var stages: [any Stage] = []
        stages.reserveCapacity(4)
        if plan.retryPolicy.attempts > 1 { stages.append(RetryStage(plan: plan, log: log)) }
        stages.append(RedirectStage(plan: plan, log: log))
        if let jar = plan.cookieJar { stages.append(CookieStage(jar: jar)) }
        stages.append(TransportStage(plan: plan, log: log))
        return stages
    }

    /// Runs the stages once.
    ///
    /// What it returns is small: the frames of a request in flight are all the memory that a crowd of them needs.
    func reply() async -> Result<Reply, SimpleNetworkingError> {
        log.recordAttempt(plan.request.head)
        if !plan.withheld.isEmpty { log.record(.withheld(fields: plan.withheld)) }
        do {
            return .success(try await Self.proceed(plan.request, through: stages[...]))
        } catch {
            return .failure(failure(for: error))
        }
    }

    private func failure(for error: any Error) -> SimpleNetworkingError {
        let error = SimpleNetworkingError(error, head: plan.request.head)
        if !error.isCancellation, error.response == nil { log.record(.failed(error)) }
        return error
    }

    private static func proceed(
        _ request: TransportRequest,
        through stages: ArraySlice<any Stage>
    ) async throws -> Reply {
        guard let stage = stages.first else { preconditionFailure("the last stage calls the transport") }
        return try await stage.intercept(request) { try await proceed($0, through: stages.dropFirst()) }
    }
}
