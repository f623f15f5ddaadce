/// Lets the client's `prepare(_:for:)` and the call's own closure change what is sent, and looks over what they made.
struct PreparationStage: Middleware {
    let plan: RequestPlan
    let log: EventLog

    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        var prepared = request
        try await plan.hooks.prepare?(&prepared)
        let withheld = plan.withhold(from: &prepared)
        try prepared.head.validateFields()
        plan.recordAttempt(prepared, withheld: plan.withheld + withheld, log)
        return try await next(prepared)
    }
}
