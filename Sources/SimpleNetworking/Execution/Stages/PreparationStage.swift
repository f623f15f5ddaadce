/// Lets the client's `prepare(_:for:)` and the call's own closure change what is sent, and looks over what they made.
struct PreparationStage: Middleware {
    let plan: RequestPlan
    let log: EventLog

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        log.announceAttempt()
        let (prepared, withheld) = try await plan.prepare(request)
        plan.recordAttempt(prepared, withheld: withheld, log)
        return try await next(prepared)
    }
}
