/// Lets the request's handlers hear of what moves, beside whoever has asked for it on the way here.
struct ProgressStage: Middleware {
    let report: @Sendable (TransferProgress) -> Void
    let log: EventLog

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        var request = request
        request.progress = { [report, log, other = request.progress] progress in
            var progress = progress
            progress.attempt = log.attempt
            other?(progress)
            report(progress)
        }
        return try await next(request)
    }
}
