import SimpleNetworkingSupport

/// Delivers the content of a response created by middleware to its file or reader.
///
/// This stage is above the middleware. Content from lower stages has already arrived.
struct MiddlewareContentStage: Middleware {
    let plan: RequestPlan
    let execution: Execution
    let arrival: Locked<ContentStage.Arrival>

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        var response = try await next(request)
        guard arrival.withLock({ $0 != .complete }) else {
            // Middleware may have made a response of its own.
            response.isDelivered = true
            return response
        }
        guard response.isSuccess else { return response }
        let content = ContentStage(plan: plan, arrival: arrival)
        return try await plan.deliver(response, to: request, through: content, for: execution)
    }
}

/// Limits content that middleware creates to the request's limit, or to the highest limit that it has sent.
struct MiddlewareLimitStage: Middleware {
    let destination: ContentDestination
    let limit: Locked<Int>

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        let response = try await next(request)
        // A file or a reader accepts a success of any size.
        guard destination.isMemory || !response.isSuccess else { return response }
        try response.check(max(request.maxResponseSize, limit.withLock { $0 }), of: request)
        return response
    }
}
