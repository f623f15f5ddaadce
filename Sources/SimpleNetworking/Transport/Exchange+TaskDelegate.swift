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
        CallersDelegate(session.delegate).see(response, of: task, in: session, to: request)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        CallersDelegate(session.delegate).makeStream(for: task, in: session) { stream in
            completionHandler(stream ?? self.request.body.newStream)
        }
    }

    #if canImport(Darwin)
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            CallersDelegate(session.delegate).receive(metrics, of: task, in: session)
            receive(metrics)
        }
    #else
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            meet(challenge, of: task, in: session, asking: CallersDelegate(session.delegate), completionHandler)
        }
    #endif
}

extension Exchange {
    /// Lets the caller's delegate answer a challenge, and sees to it that a refusal arrives as the 401 that it is, with
    /// its content.
    ///
    /// A proxy's challenge is left to the default handling: the system may know the password.
    func meet(
        _ challenge: URLAuthenticationChallenge,
        of task: URLSessionTask,
        in session: URLSession,
        asking delegate: CallersDelegate,
        _ answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        delegate.meet(challenge, of: task, in: session) { disposition, credential in
            #if canImport(Darwin)
                guard disposition == .performDefaultHandling, !challenge.protectionSpace.isProxy() else {
                    return answer(disposition, credential)
                }
                switch challenge.protectionSpace.authenticationMethod {
                case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest:
                    answer(.rejectProtectionSpace, nil)
                default: answer(.performDefaultHandling, nil)
                }
            #else
                switch (disposition, credential) {
                case (.useCredential, let credential?):
                    // A task that was cancelled meanwhile has had its answer.
                    self.unlessSettled { answer(.useCredential, credential) }
                case (.cancelAuthenticationChallenge, _): self.giveUp()
                case (.performDefaultHandling, _) where challenge.protectionSpace.isProxy():
                    self.unlessSettled { answer(.performDefaultHandling, nil) }
                default: self.decline(challenge, of: task, answer)
                }
            #endif
        }
    }

    #if !canImport(Darwin)
        /// Takes the answer from the challenge, and gives the task up.
        ///
        /// Up to Swift 6.3.1 a task whose challenge nobody meets never ends, and one whose challenge is rejected ends
        /// without its content. Later versions end properly with the default handling; should their insides look
        /// different, that is what happens.
        private func decline(
            _ challenge: URLAuthenticationChallenge,
            of task: URLSessionTask,
            _ answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let isOwnSessions = task.delegate !== self
            let body = isOwnSessions ? nil : unlessSettled { task.collectedBody }
            guard let response = challenge.failureResponse as? HTTPURLResponse, isOwnSessions || body != nil else {
                unlessSettled { answer(.performDefaultHandling, nil) }
                return
            }
            end(with: response, body: body)
            unlessSettled { answer(.performDefaultHandling, nil) }
            cancelTask()
        }
    #endif
}
