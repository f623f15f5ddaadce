/// Sends an attempt again, as far as the retry policy permits, with the client's header fields as they are then.
struct RetryStage: Stage {
    let plan: RequestPlan
    let log: EventLog

    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws -> Reply
    ) async throws -> Reply {
        var request = request
        var sends = 1
        while true {
            let result = await send(request, next)
            guard let delay = delay(after: result, of: request.head, sends: sends) else { return try result.get() }
            if case .failure(let error) = result { log.record(.failed(error)) }
            log.record(.retry(after: delay))
            try await plan.clock.sleep(delay)
            sends += 1
            request = try plan.remake()
            log.recordAttempt(request.head)
        }
    }

    private func send(
        _ request: TransportRequest,
        _ next: @Sendable (TransportRequest) async throws -> Reply
    ) async -> Result<Reply, SimpleNetworkingError> {
        do {
            return .success(try await next(request))
        } catch {
            return .failure(SimpleNetworkingError(error, head: request.head))
        }
    }

    private func delay(
        after result: Result<Reply, SimpleNetworkingError>,
        of head: RequestHead,
        sends: Int
    ) -> TimeInterval? {
        let outcome: RetryPolicy.Outcome =
            switch result {
            case .success(let reply): .answer(reply.response.status, reply.response.headers)
            case .failure(let error): .failure(error)
            }
        return plan.retryPolicy.delay(afterAttempt: sends, of: head, outcome: outcome)
    }
}
