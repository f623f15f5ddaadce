/// Sends the request over the transport, and enforces the timeout if the transport doesn't.
struct TransportStage: Middleware {
    let plan: RequestPlan
    let execution: Execution

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        var request = request
        // A transport may keep the request, and with it the execution, which lets go of all others at its end.
        request.report = { [execution] in execution.record($0) }
        // A range counts the bytes as they are sent, and a part of a coding can't be decoded.
        if request.headers.contains("Range"), !request.headers.contains("Accept-Encoding") {
            request.headers["Accept-Encoding"] = "identity"
        }
        let response = try await send(request)
        guard response.httpStatus == 417, request.headers["Expect"]?.lowercased() == "100-continue" else {
            return response
        }
        // The server refuses `Expect`: the content is sent at once (RFC 9110 §10.1.1).
        request.headers["Expect"] = nil
        execution.record(.resent(.expectationFailed))
        return try await send(request)
    }

    private func send(_ request: TransportRequest) async throws -> TransportResponse {
        // Middleware may not have noticed, and the transport may not look.
        try Task.checkCancellation()
        let sent = noted(request)
        let response = try await plan.transport.enforcesTimeouts ? plan.transport.send(sent) : sendInTime(sent)
        return noted(response, to: request)
    }

    /// Notes the request's secrets, and returns what the transport is to send.
    ///
    /// Inlined, this and the next would enlarge the frame that waits.
    @inline(never)
    private func noted(_ request: TransportRequest) -> TransportRequest {
        // Middleware may have made a head of its own.
        plan.memory.note(request.head, request.body)
        if logsMessages { execution.log(WireMessage(request.head, request.body)) }
        return plan.coveringSessionHeaders(of: request)
    }

    @inline(never)
    private func noted(_ response: TransportResponse, to request: TransportRequest) -> TransportResponse {
        var response = response
        var head = request.head
        head.memory = plan.memory
        response.request = head
        execution.record(.received(status: response.httpStatus, bytes: response.data.count))
        if logsMessages { execution.log(WireMessage(response.parts.value, to: request.head, request.body)) }
        return response
    }

    private var logsMessages: Bool { plan.settings.configuration.logger.level >= .debug }

    /// Ends at the timeout, or when cancelled, even if the transport doesn't react.
    private func sendInTime(_ request: TransportRequest) async throws -> TransportResponse {
        let race = Race<TransportResponse>()
        let transfer = Task.start(on: plan.scheduler) { [transport = plan.transport] in
            do { race.finish(.success(try await transport.send(request))) } catch { race.finish(.failure(error)) }
        }
        let cancelTimer = plan.clock.schedule(after: request.timeout, for: .timeout) {
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
    /// Overrides with empty values the fields that another origin must not see and Foundation's session would add.
    fileprivate func coveringSessionHeaders(of request: TransportRequest) -> TransportRequest {
        let headers = settings.session.headersOfSession
        guard !headers.isEmpty, !isTrusted(request.url) else { return request }
        var covered = request
        for field in headers where !sharing.isShared(field) && !request.headers.contains(field.name) {
            covered.headers[field.name] = ""
        }
        return covered
    }
}

/// Reports the progress of the content to the request's handlers, in addition to a receiver that middleware has set.
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
