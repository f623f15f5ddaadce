/// Delivers the content of a response created by middleware to its file or reader.
///
/// This stage is above the middleware. Content from lower stages has already arrived.
struct MiddlewareContentStage: Middleware {
    let plan: RequestPlan
    let execution: Execution
    let arrival: Locked<ContentStage.Arrival>

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        let response = try await next(request)
        guard response.isSuccess, arrival.withLock({ $0 != .complete }) else { return response }
        // Through the stages that handle content, without the network.
        let content = ContentStage(plan: plan, arrival: arrival)
        let deliver: Next = { try await content.intercept($0) { _ in response } }
        let report: Next = { request in
            guard let report = plan.progress else { return try await deliver(request) }
            return try await ProgressStage(report: report, execution: execution).intercept(request, next: deliver)
        }
        guard case .file(let file) = plan.destination else { return try await report(request) }
        let download = DownloadStage(destination: file, clock: plan.clock, resumes: false)
        return try await download.intercept(request, next: report)
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
