/// Keeps what a user's middleware has added from origins that must not see it.
struct WithholdingStage: Middleware {
    let plan: RequestPlan
    let log: EventLog

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        var sent = request
        let withheld = plan.withhold(from: &sent)
        if !withheld.isEmpty { log.record(.withheld(fields: withheld)) }
        return try await next(sent)
    }
}
