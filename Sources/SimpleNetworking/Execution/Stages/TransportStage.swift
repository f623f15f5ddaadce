/// Sends the request over the transport, and keeps its timeout where the transport does not.
struct TransportStage: Middleware {
    let plan: RequestPlan
    let log: EventLog

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        var request = request
        request.onResend = { [log] in log.record(.resent($0)) }
        let response = try await send(request)
        guard response.status == 417, request.head.expectsContinue else { return response }
        return try await sendWithoutExpect(request)
    }

    /// Sends the content unasked, since the server does not want to be asked (RFC 9110 §10.1.1).
    private func sendWithoutExpect(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        request.headers["Expect"] = nil
        log.record(.resent(.expectationFailed))
        return try await send(request)
    }

    private func send(_ request: TransportRequest) async throws -> TransportResponse {
        // Middleware may have made a head of its own.
        let memory = plan.request.head.memory
        memory?.note(request.head, request.body)
        log.recordMessage(WireMessage(request.head, request.body))
        let sent = plan.coveringSessionHeaders(of: request)
        var response = try await plan.transport.keepsTimeouts ? plan.transport.send(sent) : sendInTime(sent)
        var head = request.head
        head.memory = memory
        response.request = head
        log.record(.received(status: response.status, bytes: response.body.count))
        log.recordMessage(WireMessage(response, to: request.head, request.body))
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
    fileprivate init(_ response: TransportResponse, to head: RequestHead, _ sent: RequestBody) {
        self.init(
            status: response.status,
            response.headers,
            response.body,
            to: head,
            sent,
            seconds: response.metrics.total
        )
    }
}
