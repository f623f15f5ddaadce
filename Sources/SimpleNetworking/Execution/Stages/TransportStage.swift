/// Sends the request over the transport, and keeps its timeout where the transport does not.
struct TransportStage: Middleware {
    let plan: RequestPlan
    let log: EventLog

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        log.recordMessage(WireMessage(request.head, request.body))
        let sent = plan.coveringSessionHeaders(of: request)
        var response = try await plan.transport.keepsTimeouts ? plan.transport.send(sent) : sendInTime(sent)
        response.request = request.head
        log.record(.received(status: response.status, bytes: response.body.count))
        log.recordMessage(WireMessage(response, to: request.head))
        return response
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

extension RequestPlan {
    /// Sends empty what another origin must not see, and Foundation's session would add by itself.
    fileprivate func coveringSessionHeaders(of request: TransportRequest) -> TransportRequest {
        guard let headers = (transport as? URLSessionTransport)?.sessionHeaders, !headers.isEmpty,
            !isTrusted(request.url)
        else { return request }
        var covered = request
        for field in headers where !sharing.isShared(field) && !request.headers.contains(field.name) {
            covered.headers[field.name] = ""
        }
        return covered
    }
}

extension RequestHead {
    fileprivate var expectsContinue: Bool { headers["Expect"]?.lowercased() == "100-continue" }
}

extension WireMessage {
    fileprivate init(_ response: TransportResponse, to head: RequestHead) {
        self.init(status: response.status, response.headers, response.body, to: head, seconds: response.metrics.total)
    }
}
