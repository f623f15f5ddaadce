import SimpleNetworkingSupport

/// Reports content progress to the request's handlers, in addition to a receiver that middleware has set.
struct ProgressStage: Middleware {
    let report: @Sendable (TransferProgress) -> Void
    let execution: Execution

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        var request = request
        request.progress = { [report, weak execution, other = request.progress] progress in
            var progress = progress
            progress.attempt = execution?.sentAttempt ?? 0
            other?(progress)
            report(progress)
        }
        return try await next(request)
    }
}
