import SimpleNetworkingSupport

/// Ends the pipeline: sends the request over the transport, and enforces the timeout if the transport doesn't.
extension RequestPlan {
    @inline(__always)
    func transmit(_ request: TransportRequest, for execution: Execution) async throws -> TransportResponse {
        let request = prepared(request, for: execution)
        // Middleware may not have noticed the cancellation, and the transport may not check it.
        try Task.checkCancellation()
        let sent = noted(request, for: execution)
        let isTimed = transport.enforcesTimeouts && request.headTimeout == nil
        do {
            // Not `transport`, because a copy of it would stay in the waiting frame.
            let received = try await isTimed ? settings.session.transport.send(sent) : sendInTime(sent)
            return try noted(received, to: request, for: execution)
        } catch {
            if Connection.isImpossible(after: error) { execution.noteUnreached() }
            throw error
        }
    }

    // Inlined, these would enlarge the frame that waits.

    @inline(never) private func prepared(_ request: TransportRequest, for execution: Execution) -> TransportRequest {
        var request = request
        // Middleware may have created its own request.
        if request.report == nil { request.report = { execution.record($0) } }
        if request.head.memory !== memory { request.head.memory = memory }
        // `DepartureStage` does so too.
        if request.onFailedHead == nil, retryPolicy.attempts > 1 {
            request.onFailedHead = { [weak execution] in execution?.noteFailedHead($0, $1, isPart: false) }
        }
        if let onActivity = request.onActivity {
            onActivity()
            request.progress = { [report = request.progress] progress in
                onActivity()
                report?(progress)
            }
        }
        // A range counts encoded bytes, and a partial coding can't be decoded.
        if request.headers.contains("Range"), !request.headers.contains("Accept-Encoding") {
            request.headers["Accept-Encoding"] = "identity"
        }
        return request
    }

    /// Records the request's secrets, and returns the request that the transport sends.
    @inline(never) private func noted(_ request: TransportRequest, for execution: Execution) -> TransportRequest {
        execution.noteSent(request.original ?? request.head, continues: request.original != nil)
        for feature in features { feature.noteSent(for: Attempt(plan: self, execution: execution)) }
        memory.note(request.head, request.body)
        if logsMessages { execution.log(WireMessage(request.head, request.body)) }
        return limitingTrust(of: coveringSessionHeaders(of: request))
    }

    @inline(never) private func noted(
        _ response: TransportResponse,
        to request: TransportRequest,
        for execution: Execution
    ) throws -> TransportResponse {
        // The built-in engines receive no more than the limit; a user's own transport may.
        if request.sink.isMemory || !response.isSuccess { try response.check(request.maxResponseSize, of: request) }
        var response = response
        if !engine.namesRequests { response.request = request.head }
        if request.original == nil { execution.noteResponse(response.httpStatus) }
        execution.record(.received(status: response.httpStatus, bytes: response.data.count))
        if logsMessages { execution.log(WireMessage(response.parts.value, to: request.head, request.body)) }
        return response
    }

    private var logsMessages: Bool { settings.configuration.logger.level >= .debug }

    /// Empties the fields that Foundation's session would add but that another origin must not see.
    private func coveringSessionHeaders(of request: TransportRequest) -> TransportRequest {
        let headers = engine.addedHeaders
        guard !headers.isEmpty, !isTrusted(request.url) else { return request }
        var covered = request
        for field in headers where !sharing.isShared(field) && !request.headers.contains(field.name) {
            covered.headers[field.name] = ""
        }
        return covered
    }

    /// Tells a transport that asks whether the URL may receive credentials.
    ///
    /// Middleware and redirects may change the URL.
    private func limitingTrust(of request: TransportRequest) -> TransportRequest {
        guard engine.asksForTrust else { return request }
        var limited = request
        limited.isTrusted = isTrusted(request.url)
        return limited
    }

    /// Sends the request, and ends at the timeout or on cancellation, even if the transport doesn't react.
    private func sendInTime(_ request: TransportRequest) async throws -> TransportResponse {
        let first = FirstResult<TransportResponse>()
        let leaveStore = destination.store?.reserve()
        let limits = idleLimits(of: request, in: first)
        let sent = limits.reduce(request) { $1.watching($0) }
        let transfer = Task.start(on: scheduler) { [transport] in
            do { first.finish(.success(try await transport.send(sent))) } catch { first.finish(.failure(error)) }
            leaveStore?()
        }
        if request.movesVisibly { for limit in limits { limit.restart() } }
        let cancelTimer = clock.schedule(after: request.timeout, for: .timeout) {
            first.finish(.failure(SimpleNetworkingError.timedOut(.attempt(request.timeout), request.head)))
        }
        defer {
            for limit in limits { limit.end() }
            cancelTimer()
            transfer.cancel()
        }
        return try await first.value()
    }

    /// Returns the limit until the head arrives, and the idle limit, unless the engine has its own limit.
    ///
    /// A caller's own session reports nothing until the transfer ends.
    private func idleLimits(of request: TransportRequest, in first: FirstResult<TransportResponse>) -> [IdleLimit] {
        func limit(_ seconds: TimeInterval, endsAtHead: Bool = false) -> IdleLimit {
            IdleLimit(seconds, clock, request.suspension, endsAtHead: endsAtHead) {
                first.finish(.failure(SimpleNetworkingError.timedOut(.idle(seconds), request.head)))
            }
        }
        let head = request.headTimeout.map { limit($0, endsAtHead: true) }
        let idle = engine.isOwn ? nil : request.idleTimeout.map { limit($0) }
        return [head, idle].compactMap(\.self)
    }
}
