extension ExchangeRouter {
    // What concerns no exchange is the caller's delegate's alone.

    #if canImport(Darwin)
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
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
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

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            delegate.task?.urlSession(session, task: task, didFinishCollecting: metrics)
        }
    #endif
}
