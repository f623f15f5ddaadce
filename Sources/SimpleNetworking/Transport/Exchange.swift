/// Follows one `URLSessionTask` from its start to its end, and gives its outcome exactly once.
///
/// On Linux it also keeps the rules whose breach ends the process: at most one `cancel()` per task, none once a redirect
/// was answered, and no answer to a redirect after `cancel()`.
final class Exchange: NSObject, Sendable {
    let request: TransportRequest
    // Cancelling waits for a queue that all sessions of the process share on Linux, so it must not hold up the caller,
    // nor a callback. The transport starts the task on the same queue: a cancellation finds a task or prevents one.
    private let queue: DispatchQueue

    private struct State {
        var continuation: CheckedContinuation<TransportResponse, any Error>?
        var isOver = false
        var task: URLSessionTask?
        var earliestCancellation = DispatchTime(uptimeNanoseconds: 0)
        /// Whether the task must be left alone: it was cancelled, or will end by itself at once.
        var isSettled = false
        var response: HTTPURLResponse?
        var body = Data()
        var metrics = TransferMetrics()
    }

    private let state = Locked(State())
    private let start = DispatchTime.now().uptimeNanoseconds

    init(_ request: TransportRequest, on queue: DispatchQueue) {
        self.request = request
        self.queue = queue
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Takes the continuation, or resumes it if the exchange was cancelled before it began.
    func begin(with continuation: CheckedContinuation<TransportResponse, any Error>) -> Bool {
        let isOver = state.withLock { state in
            if !state.isOver { state.continuation = continuation }
            return state.isOver
        }
        if isOver { continuation.resume(throwing: CancellationError()) }
        return !isOver
    }

    /// Takes the task that is about to be resumed.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - looksIntoCache: Whether its session asks a `URLCache` before it loads.
    func attach(_ task: URLSessionTask, looksIntoCache: Bool) {
        state.withLock { state in
            state.task = task
            #if !canImport(Darwin)
                // The cache answers on a thread of its own. A cancellation that overtakes the answer fails the task
                // before it is started, and starting it then ends the process. Whoever cancels does not wait for this.
                if looksIntoCache { state.earliestCancellation = .now() + .milliseconds(250) }
            #endif
        }
    }

    /// Gives the outcome, unless there was one before.
    func end(_ outcome: Result<TransportResponse, any Error>) {
        let continuation = state.withLock { state in
            state.isOver = true
            state.body = Data()
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(with: outcome)
    }

    /// Ends as cancelled, since the caller's delegate wants no answer.
    func giveUp() {
        end(.failure(SimpleNetworkingError.cancelled(request.head)))
        cancelTask()
    }

    /// Cancels the task soon, once, and only while that is safe.
    func cancelTask() {
        queue.async {
            let earliest = self.state.withLock { $0.earliestCancellation }
            guard earliest > .now() else { return self.cancelTaskNow() }
            self.queue.asyncAfter(deadline: earliest) { self.cancelTaskNow() }
        }
    }

    private func cancelTaskNow() {
        let task: URLSessionTask? = state.withLock { state in
            guard !state.isSettled, let task = state.task else { return nil }
            state.isSettled = true
            return task
        }
        // A test's own task that has no request would end the process here.
        if let task, task.isFoundationsOwn || task.currentRequest != nil { task.cancel() }
    }

    // MARK: - What the session tells

    func receive(_ response: URLResponse) {
        // Foundation passes informational responses on as if they were the answer.
        guard let response = response as? HTTPURLResponse, response.statusCode >= 200 else { return }
        let isTooLarge = state.withLock { state in
            state.response = response
            state.body = Data()
            state.metrics.firstByte = state.metrics.firstByte ?? seconds
            guard request.method != .head, response.expectedContentLength > 0, !state.isOver else { return false }
            if !response.isCompressed, response.expectedContentLength > request.maxResponseSize { return true }
            state.body.reserveCapacity(Int(min(response.expectedContentLength, 16 << 20)))
            return false
        }
        if isTooLarge { refuseSize() }
    }

    func receive(_ data: Data) {
        let isTooLarge = state.withLock { state in
            guard !state.isOver else { return false }
            state.body.append(data)
            return state.body.count > request.maxResponseSize
        }
        if isTooLarge { refuseSize() }
    }

    #if canImport(Darwin)
        func receive(_ metrics: URLSessionTaskMetrics) { state.withLock { $0.metrics.take(metrics) } }
    #endif

    /// Hears of the end of a task that was driven with a completion handler.
    func complete(data: Data?, response: URLResponse?, error: (any Error)?) {
        if error == nil, let data { state.withLock { if !$0.isOver { $0.body = data } } }
        complete(response: response, error: error)
    }

    /// Hears of the end of a task.
    func complete(response: URLResponse?, error: (any Error)?) {
        let (answer, body, metrics) = state.withLock { state in
            state.isSettled = true
            // The task holds this as its delegate.
            state.task = nil
            return ((response as? HTTPURLResponse) ?? state.response, state.body, state.metrics)
        }
        if let error { return end(.failure(failure(for: error))) }
        guard let answer else { return end(.failure(NetworkFailure(.malformedResponse, detail: "it is no HTTP"))) }
        finish(answer, body, metrics)
    }

    /// Refuses to follow, so that the redirect itself becomes the answer.
    func refuseRedirect(_ answer: @Sendable (URLRequest?) -> Void) {
        #if canImport(Darwin)
            answer(nil)
        #else
            state.withLock { state in
                guard !state.isSettled else { return }
                state.isSettled = true
                answer(nil)
            }
        #endif
    }

    /// Ends with the answer that carried the challenge, without waiting for Foundation, which may never get there.
    func end(with answer: HTTPURLResponse, body: Data?) {
        let (collected, metrics) = state.withLock { ($0.body, $0.metrics) }
        finish(answer, body ?? collected, metrics)
    }

    /// Runs code while nobody can cancel the task, and not at all if somebody did.
    @discardableResult
    func unlessSettled<Result>(_ read: () -> Result?) -> Result? {
        state.withLock { $0.isSettled ? nil : read() }
    }

    // MARK: - The end

    private func finish(_ answer: HTTPURLResponse, _ body: Data, _ metrics: TransferMetrics) {
        guard body.count <= request.maxResponseSize else { return refuseSize() }
        var metrics = metrics
        if metrics.total == 0 { metrics.total = seconds }
        if metrics.bytesReceived == nil { metrics.bytesReceived = answer.receivedBytes(of: body, for: request.method) }
        if metrics.bytesSent == nil { metrics.bytesSent = request.body.length }
        let headers = HTTPHeaders(answer)
        end(.success(TransportResponse(status: answer.statusCode, headers: headers, body: body, metrics: metrics)))
    }

    private func refuseSize() {
        end(.failure(SimpleNetworkingError.tooLarge(limit: request.maxResponseSize, request.head)))
        cancelTask()
    }

    private func failure(for error: any Error) -> any Error {
        guard let error = error as? URLError else { return NetworkFailure(.other, underlying: error) }
        switch error.code {
        case .cancelled: return SimpleNetworkingError.cancelled(request.head)
        case .timedOut: return SimpleNetworkingError.timedOut(.attempt(request.timeout), request.head)
        case .badURL:
            let isIPv6 = request.url.host?.contains(":") == true
            let reason = isIPv6 ? "URLSession on Linux cannot reach IPv6 literals" : "URLSession does not accept it"
            return SimpleNetworkingError.invalidURL(request.url.absoluteString, reason: reason)
        default: return NetworkFailure(error)
        }
    }

    private var seconds: TimeInterval {
        TimeInterval(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }
}
