extension Exchange {
    // What a session tells of its task.

    func receive(_ response: URLResponse) {
        // Foundation passes informational responses on as if they were the answer.
        guard let response = response as? HTTPURLResponse, response.statusCode >= 200 else { return }
        if !change({ $0.receive(response) }) { cancelTask() }
    }

    func receive(_ data: Data) {
        if !change({ $0.receive(data) }) { cancelTask() }
        pace()
    }

    /// Hears how many bytes of content were sent in all.
    func send(_ count: Int64) { change { $0.send(Int(clamping: count)) } }

    #if canImport(Darwin)
        func receive(_ metrics: URLSessionTaskMetrics) { change { $0.metrics.take(metrics) } }
    #endif

    /// Hears of the end of a task that was driven with a completion handler.
    func complete(data: Data?, response: URLResponse?, error: (any Error)?) {
        complete(response: response, error: error) { state in
            if let data { state.replaceBody(data) }
            // Foundation tells nothing on the way, so that the length that is known must do.
            return request.body.length
                ?? state.task.map { $0.isFoundationsOwn ? Int(clamping: $0.countOfBytesSent) : 0 }
        }
    }

    /// Hears of the end of a task.
    func complete(response: URLResponse?, error: (any Error)?) {
        complete(response: response, error: error) { _ in nil }
    }

    private func complete(
        response: URLResponse?,
        error: (any Error)?,
        _ prepare: (inout ExchangeState) -> Int?
    ) {
        change { state in
            state.isSettled = true
            // The task holds this as its delegate.
            defer { state.task = nil }
            if let error {
                let known = state.response ?? response ?? state.task.flatMap { $0.isFoundationsOwn ? $0.response : nil }
                return state.news.end(.failure(failure(for: error, hasResponse: known != nil)))
            }
            let sent = prepare(&state)
            _ = state.finish(response as? HTTPURLResponse, sent: sent)
        }
    }

    /// Refuses to follow, so that the redirect itself becomes the answer.
    func refuseRedirect(_ answer: @Sendable (URLRequest?) -> Void) {
        #if canImport(Darwin)
            answer(nil)
        #else
            change { state in
                guard !state.isSettled else { return }
                state.isSettled = true
                answer(nil)
            }
        #endif
    }

    /// Ends with the answer that carried the challenge, without waiting for Foundation, which may never get there.
    func end(with answer: HTTPURLResponse, body: Data?) {
        let isAcceptable = change { state in
            if let body { state.replaceBody(body) }
            return state.finish(answer)
        }
        if !isAcceptable { cancelTask() }
    }

    private func failure(for error: any Error, hasResponse: Bool) -> any Error {
        guard let error = error as? URLError else { return NetworkFailure(.other, underlying: error) }
        switch error.code {
        case .cancelled: return SimpleNetworkingError.cancelled(request.head)
        case .timedOut:
            let limit = request.idleTimeout.map { SimpleNetworkingError.Timeout.idle($0) } ?? .attempt(request.timeout)
            return SimpleNetworkingError.timedOut(limit, request.head)
        case .badURL:
            let isIPv6 = request.url.host?.contains(":") == true
            let reason = isIPv6 ? "URLSession on Linux cannot reach IPv6 literals" : "URLSession does not accept it"
            return SimpleNetworkingError.invalidURL(request.url.absoluteString, reason: reason)
        default:
            let failure = NetworkFailure(error)
            let isUnanswered = failure.kind == .connectionLost && !hasResponse && !request.head.isRepeatable
            return isUnanswered ? NetworkFailure.unanswered(request.head) : failure
        }
    }
}
