/// Hands what a session of our own tells its delegate to the caller's delegate, and to the exchange that it concerns.
///
/// The caller's delegate hears of everything, and before the exchange does: when the exchange ends, it has heard of the
/// end. Of a redirect it hears afterwards, since the answer to that must not wait.
final class ExchangeRouter: NSObject, URLSessionDataDelegate {
    let delegate: CallersDelegate
    private let exchanges = Locked([Int: Exchange]())
    /// Called when the session is invalid, in place of the caller's delegate, which has never heard of that session.
    let onInvalidation: (@Sendable () -> Void)?

    init(delegate: (any URLSessionDelegate)? = nil, onInvalidation: (@Sendable () -> Void)? = nil) {
        self.delegate = CallersDelegate(delegate)
        self.onInvalidation = onInvalidation
    }

    var count: Int { exchanges.withLock { $0.count } }

    func add(_ exchange: Exchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    private func exchange(for task: URLSessionTask) -> Exchange? { exchanges.withLock { $0[task.taskIdentifier] } }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        delegate.judge(response, of: dataTask, in: session) { disposition in
            let exchange = self.exchange(for: dataTask)
            if disposition == .cancel { exchange?.giveUp() } else { exchange?.receive(response) }
            // A task is cancelled in one way only, and only a data task has an exchange.
            completionHandler(.allow)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        delegate.receive(data, of: dataTask, in: session)
        exchange(for: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData count: Int64,
        totalBytesSent total: Int64,
        totalBytesExpectedToSend expected: Int64
    ) {
        delegate.send(count, total, of: expected, by: task, in: session)
        exchange(for: task)?.send(total)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        delegate.complete(task, in: session, with: error)
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.complete(response: task.response, error: error)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        if let exchange = exchange(for: task) {
            exchange.refuseRedirect(completionHandler)
        } else {
            completionHandler(nil)
        }
        delegate.see(response, of: task, in: session, to: request)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let exchange = exchange(for: task) else { return completionHandler(.performDefaultHandling, nil) }
        exchange.meet(challenge, of: task, in: session, asking: delegate, completionHandler)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        delegate.makeStream(for: task, in: session) { stream in
            completionHandler(stream ?? self.exchange(for: task)?.request.body.newStream)
        }
    }

    #if canImport(Darwin)
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            delegate.receive(metrics, of: task, in: session)
            exchange(for: task)?.receive(metrics)
        }
    #endif
}
