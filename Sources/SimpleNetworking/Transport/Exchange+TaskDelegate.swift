extension Exchange: URLSessionTaskDelegate {
    // The delegate of a task of a caller's session. What is not implemented here goes to the session's own delegate.

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        refuseRedirect(completionHandler)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(request.body.newStream)
    }

    #if canImport(Darwin)
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            receive(metrics)
        }
    #else
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard let delegate = session.delegate as? any URLSessionTaskDelegate else {
                return answer(challenge, on: task, completionHandler)
            }
            delegate.urlSession(session, task: task, didReceive: challenge) { disposition, credential in
                if disposition == .useCredential, let credential {
                    completionHandler(.useCredential, credential)
                } else {
                    self.answer(challenge, on: task, completionHandler)
                }
            }
        }
    #endif
}

extension Exchange {
    /// Answers a challenge so that a refusal arrives as the 401 that it is, with its content.
    func answer(
        _ challenge: URLAuthenticationChallenge,
        on task: URLSessionTask,
        _ answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
            switch challenge.protectionSpace.authenticationMethod {
            case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest:
                answer(.rejectProtectionSpace, nil)
            default: answer(.performDefaultHandling, nil)
            }
        #else
            // Up to Swift 6.3.1 a task whose challenge nobody meets never ends, and one whose challenge is rejected ends
            // without its content. So the answer is taken from the challenge, and the task is given up. Later versions
            // end properly with the default handling; should their insides look different, that is what happens.
            let body = isOwnSessions(task) ? nil : unlessSettled { task.collectedBody }
            if let response = challenge.failureResponse as? HTTPURLResponse, isOwnSessions(task) || body != nil {
                end(with: response, body: body)
                answer(.performDefaultHandling, nil)
                cancelTask()
            } else {
                answer(.performDefaultHandling, nil)
            }
        #endif
    }

    private func isOwnSessions(_ task: URLSessionTask) -> Bool { task.delegate !== self }
}
