import SimpleNetworkingSupport

/// Lets the client's `prepare(_:for:)` and the call's own closure change an attempt, and checks the result.
struct PreparationStage: Middleware {
    let plan: RequestPlan
    let execution: Execution
    /// The names of the fields that are already withheld.
    let withheld: [String]

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        execution.prepareAttempt()
        let (settings, mark) = plan.client.current
        // The fields and the generation of the credential are read together.
        let request = plan.hasPreparation ? plan.updated(request, with: settings) : request
        var (prepared, further) = try await plan.prepare(request)
        // User code may not have noticed the cancellation.
        try Task.checkCancellation()
        execution.countAttempt(prepared.head, withheld: withheld + further)
        if plan.hasPreparation { prepared.preparation = Preparation(of: request, as: prepared, settings, mark) }
        return try await next(prepared)
    }
}
