/// Brings content that middleware has answered with by itself, and so has in memory, to the file or reader it is for.
///
/// It stands above the middleware. What comes from further below has arrived by then.
struct AnswerStage: Middleware {
    let plan: RequestPlan
    let log: EventLog
    let arrival: Locked<ContentStage.Arrival>

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        let response = try await next(request)
        guard response.isSuccess, arrival.withLock({ $0 != .complete }) else { return response }
        return try await bring(response, to: request)
    }

    /// Goes the way of every answer, but for the network.
    private func bring(_ response: TransportResponse, to request: TransportRequest) async throws -> TransportResponse {
        let content = ContentStage(destination: plan.destination, arrival: arrival)
        let report: Next = { request in
            guard let report = plan.progress else { return try await content.intercept(request) { _ in response } }
            return try await ProgressStage(report: report, log: log).intercept(request) { request in
                try await content.intercept(request) { _ in response }
            }
        }
        guard case .file(let file) = plan.destination else { return try await report(request) }
        return try await DownloadStage(destination: file, resumes: false).intercept(request, next: report)
    }
}
