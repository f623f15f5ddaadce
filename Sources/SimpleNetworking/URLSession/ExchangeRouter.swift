import SimpleNetworkingSupport

/// Forwards the callbacks of the transport's own sessions to the caller's delegate and the exchange.
///
/// The caller's delegate is called first, so that it is notified of the end before the exchange ends. Only redirects
/// are decided before the caller's delegate is called.
final class ExchangeRouter: NSObject, URLSessionDataDelegate {
    let delegate: CallersDelegate
    private let exchanges = Locked([Int: Exchange]())
    /// A closure that is called when the session is invalid.
    ///
    /// The caller's delegate isn't called, because it doesn't know that session.
    private let onInvalidation: (@Sendable () -> Void)?

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
        let receive: @Sendable (URLSession.ResponseDisposition) -> Void = { disposition in
            let exchange = self.exchange(for: dataTask)
            if disposition == .cancel { exchange?.stop() } else { exchange?.receive(response) }
            // Only their exchange cancels tasks, and only data tasks have one.
            completionHandler(.allow)
        }
        let decide = delegate.data?.urlSession(_:dataTask:didReceive:completionHandler:)
        if let decide { decide(session, dataTask, response, receive) } else { receive(.allow) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        typealias Report = (URLSession, URLSessionDataTask, Data) -> Void
        let report: Report? = delegate.data?.urlSession(_:dataTask:didReceive:)
        report?(session, dataTask, data)
        exchange(for: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData count: Int64,
        totalBytesSent total: Int64,
        totalBytesExpectedToSend expected: Int64
    ) {
        let report = delegate.task?.urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)
        report?(session, task, count, total, expected)
        exchange(for: task)?.send(total)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let report = delegate.task?.urlSession(_:task:didCompleteWithError:)
        report?(session, task, error)
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.complete(response: task.response, error: error, isCollected: false)
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
        completionHandler: @escaping ChallengeCompletion
    ) {
        guard let exchange = exchange(for: task) else { return completionHandler(.performDefaultHandling, nil) }
        exchange.handle(challenge, of: task, in: session, delegate, completionHandler)
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

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        delegate.receive(metrics, of: task, in: session)
        #if canImport(Darwin)
            exchange(for: task)?.receive(metrics)
        #endif
    }

    #if canImport(Darwin)
        @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceiveInformationalResponse response: HTTPURLResponse
        ) {
            delegate.task?.urlSession?(session, task: task, didReceiveInformationalResponse: response)
            exchange(for: task)?.receiveInterim(response)
        }

        override func responds(to selector: Selector!) -> Bool {
            super.responds(to: selector) || delegate.session?.responds(to: selector) ?? false
        }

        override func forwardingTarget(for selector: Selector!) -> Any? {
            guard let session = delegate.session, session.responds(to: selector) else {
                return super.forwardingTarget(for: selector)
            }
            return session
        }
    #else
        func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
            if let onInvalidation { return onInvalidation() }
            delegate.session?.urlSession(session, didBecomeInvalidWithError: error)
        }

        func urlSession(
            _ session: URLSession,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping ChallengeCompletion
        ) {
            guard let delegate = delegate.session else { return completionHandler(.performDefaultHandling, nil) }
            delegate.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
        }

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            willCacheResponse response: CachedURLResponse,
            completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
        ) {
            guard let delegate = delegate.data else { return completionHandler(response) }
            delegate.urlSession(
                session,
                dataTask: dataTask,
                willCacheResponse: response,
                completionHandler: completionHandler
            )
        }
    #endif
}

typealias ChallengeCompletion = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

/// Holds a caller's session delegate, cast to each of the protocols to which it may conform.
///
/// Delegate methods are looked up before they are called. On Apple platforms, these methods are optional. On Linux,
/// they have default implementations, which leave the decision to the transport.
struct CallersDelegate: Sendable {
    let session: (any URLSessionDelegate)?
    let task: (any URLSessionTaskDelegate)?
    let data: (any URLSessionDataDelegate)?

    init(_ delegate: (any URLSessionDelegate)?) {
        session = delegate
        task = delegate as? any URLSessionTaskDelegate
        data = delegate as? any URLSessionDataDelegate
    }

    /// Reports a redirect to the delegate, whose decision is ignored.
    func see(_ redirect: HTTPURLResponse, of task: URLSessionTask, in session: URLSession, to request: URLRequest) {
        let report = self.task?.urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)
        report?(session, task, redirect, request) { _ in }
    }

    /// Requests a stream of the body.
    ///
    /// If the result is nil, the transport creates the stream.
    func makeStream(
        for task: URLSessionTask,
        in session: URLSession,
        _ completion: @escaping @Sendable (InputStream?) -> Void
    ) {
        guard let make = self.task?.urlSession(_:task:needNewBodyStream:) else { return completion(nil) }
        make(session, task, completion)
    }

    func receive(_ metrics: URLSessionTaskMetrics, of task: URLSessionTask, in session: URLSession) {
        let report = self.task?.urlSession(_:task:didFinishCollecting:)
        report?(session, task, metrics)
    }
}
