/// Sends the request over the transport, and keeps its timeout where the transport does not.
struct TransportStage: Stage {
    let plan: RequestPlan
    let log: EventLog

    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws -> Reply
    ) async throws -> Reply {
        let reply = Reply(
            request: request,
            response: try await plan.transport.keepsTimeouts ? plan.transport.send(request) : sendInTime(request)
        )
        log.record(.received(status: reply.response.status, bytes: reply.response.body.count))
        return reply
    }

    /// Ends at the timeout, or when cancelled, though the transport may not listen.
    private func sendInTime(_ request: TransportRequest) async throws -> TransportResponse {
        let race = Race<TransportResponse>()
        let transfer = Task { [transport = plan.transport] in
            do { race.finish(.success(try await transport.send(request))) } catch { race.finish(.failure(error)) }
        }
        let cancelTimer = plan.clock.schedule(after: request.timeout) {
            race.finish(.failure(SimpleNetworkingError.timedOut(.attempt(request.timeout), request.head)))
        }
        defer {
            cancelTimer()
            transfer.cancel()
        }
        return try await race.value()
    }
}
