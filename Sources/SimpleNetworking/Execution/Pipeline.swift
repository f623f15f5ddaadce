/// The way of a request: the ordered list of stages.
///
/// Reading `stages` is reading the architecture.
struct Pipeline: Sendable {
    let plan: RequestPlan
    let log: EventLog

    private var stages: [any Stage] {
        [
            RetryStage(plan: plan, log: log),
            RedirectStage(plan: plan, log: log),
            CookieStage(plan: plan),
            TransportStage(plan: plan, log: log),
        ]
    }

    /// Runs the stages once.
    func response() async throws(SimpleNetworkingError) -> SimpleResponse {
        do {
            return plan.response(try await Self.proceed(plan.request, through: stages[...]), log)
        } catch {
            throw SimpleNetworkingError(error, head: plan.request.head)
        }
    }

    private static func proceed(
        _ request: TransportRequest,
        through stages: ArraySlice<any Stage>
    ) async throws -> Reply {
        guard let stage = stages.first else { preconditionFailure("the last stage calls the transport") }
        return try await stage.intercept(request) { try await proceed($0, through: stages.dropFirst()) }
    }
}
