import SimpleNetworkingSupport

/// Removes header fields that middleware added but the origin must not see.
struct WithholdingStage: Middleware {
    let plan: RequestPlan
    let execution: Execution
    /// The highest limit for content that was sent.
    let limit: Locked<Int>

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        limit.withLock { $0 = max($0, request.maxResponseSize) }
        var sent = request
        let withheld = plan.withhold(from: &sent)
        if !withheld.isEmpty { execution.record(.withheld(fields: withheld)) }
        return try await next(sent)
    }
}
