import SimpleNetworkingSupport

/// Handles the callbacks of a session for its task.
extension Exchange {
    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return }
        // On Linux, Foundation passes on interim responses like final ones.
        guard response.statusCode >= 200 else { return receiveInterim(response) }
        if !change({ $0.receive(response) }) { cancelTask() }
    }

    /// Reports an interim response (RFC 9110 §15.2), except 100 and 101.
    func receiveInterim(_ response: HTTPURLResponse) {
        guard response.statusCode >= 102 else { return }
        change { $0.events.addInterim(response.statusCode, HTTPHeaders(response)) }
    }

    func receive(_ data: Data) {
        if !change({ $0.receive(data) }) { cancelTask() }
        pace()
    }

    /// Notes the number of bytes sent so far.
    func send(_ count: Int64) { change { $0.send(Int(clamping: count)) } }

    #if canImport(Darwin)
        func receive(_ metrics: URLSessionTaskMetrics) { change { $0.metrics.take(metrics) } }
    #endif

    /// Handles the end of a task.
    ///
    /// With `isCollected`, all content arrives now, and nothing was reported before.
    func complete(data: Data? = nil, response: URLResponse?, error: (any Error)?, isCollected: Bool) {
        let task = change { state in
            state.isSettled = true
            // The task retains this exchange as its delegate.
            defer { state.task = nil }
            if let error {
                let last = state.response ?? response ?? state.foundationsTask?.response
                let failure = request.failure(for: error, hasResponse: last != nil)
                state.fail(failure, after: last as? HTTPURLResponse)
                return state.task
            }
            if let data { state.replaceBody(data) }
            // No progress is reported in that case, so the known length is used.
            let sent = isCollected ? request.body.length ?? state.foundationsTask?.bytesSent ?? 0 : nil
            state.finish(response as? HTTPURLResponse, sent: sent)
            return state.task
        }
        // Not released under the lock: it may be a subclass, and its delegate may hold the last reference to this
        // exchange.
        withExtendedLifetime(task) {}
    }

    /// Doesn't follow the redirect, so that the redirect becomes the response.
    func refuseRedirect(_ completion: @Sendable (URLRequest?) -> Void) {
        #if canImport(Darwin)
            completion(nil)
        #else
            if settle() { completion(nil) }
        #endif
    }

    /// Lets the caller's delegate handle a challenge, or else returns the 401 with its content.
    ///
    /// A proxy's challenge gets the default handling, because the system may know the password.
    func handle(
        _ challenge: URLAuthenticationChallenge,
        of task: URLSessionTask,
        in session: URLSession,
        _ delegate: CallersDelegate,
        _ completion: @escaping ChallengeCompletion
    ) {
        let complete: ChallengeCompletion = { disposition, credential in
            #if canImport(Darwin)
                guard disposition == .performDefaultHandling, !challenge.protectionSpace.isProxy() else {
                    return completion(disposition, credential)
                }
                switch challenge.protectionSpace.authenticationMethod {
                case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest:
                    completion(.rejectProtectionSpace, nil)
                default: completion(.performDefaultHandling, nil)
                }
            #else
                switch (disposition, credential) {
                case (.useCredential, let credential?):
                    // Foundation has already completed the challenge of a cancelled task.
                    self.unlessSettled { completion(.useCredential, credential) }
                case (.cancelAuthenticationChallenge, _): self.stop()
                case (.performDefaultHandling, _) where challenge.protectionSpace.isProxy():
                    self.unlessSettled { completion(.performDefaultHandling, nil) }
                default: self.decline(challenge, of: task, completion)
                }
            #endif
        }
        guard let ask = delegate.task?.urlSession(_:task:didReceive:completionHandler:) else {
            return complete(.performDefaultHandling, nil)
        }
        ask(session, task, challenge, complete)
    }

    #if !canImport(Darwin)
        /// Uses the response from the challenge, and cancels the task.
        ///
        /// Up to Swift 6.3.1, a task whose challenge is not completed never ends, and a task whose challenge is
        /// rejected ends without its content. With later versions, the default handling ends the task properly. The
        /// default handling is also used if Foundation's internals differ from the expected internals.
        private func decline(
            _ challenge: URLAuthenticationChallenge,
            of task: URLSessionTask,
            _ completion: ChallengeCompletion
        ) {
            let isOwnSessions = task.delegate !== self
            let body = isOwnSessions ? nil : unlessSettled { task.collectedBody }
            let response = challenge.failureResponse as? HTTPURLResponse
            let isTaken = response != nil && (isOwnSessions || body != nil)
            if isTaken {
                change { state in
                    if let body { state.replaceBody(body) }
                    state.finish(response)
                }
            }
            unlessSettled { completion(.performDefaultHandling, nil) }
            if isTaken { cancelTask() }
        }
    #endif
}

/// Acts as the delegate of a task in a caller's session. The session's own delegate receives other callbacks.
extension Exchange: URLSessionTaskDelegate {
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
            completionHandler: @escaping ChallengeCompletion
        ) {
            handle(challenge, of: task, in: session, CallersDelegate(session.delegate), completionHandler)
        }
    #endif
}

extension URLSessionTask {
    /// Whether Foundation created this task, rather than a subclass in a test.
    var isFoundationsOwn: Bool {
        #if canImport(Darwin)
            // A bare subclass has no session behind it, and the system's own classes have no public names.
            Bundle(for: type(of: self)).bundleIdentifier?.hasPrefix("com.apple.") == true
        #else
            type(of: self) == URLSessionDataTask.self || type(of: self) == URLSessionUploadTask.self
        #endif
    }

    fileprivate var bytesSent: Int { Int(clamping: countOfBytesSent) }

    #if !canImport(Darwin)
        /// The content that FoundationNetworking has collected while a challenge is open.
        ///
        /// This content isn't publicly accessible. Rejecting the challenge discards the content, and a repeated request
        /// could take effect twice. The memory layout is the same from Swift 6.0 to 6.3.3; nil means that the layout
        /// has changed. Nothing writes to this memory between the end of the transfer and the completion of the
        /// challenge.
        fileprivate var collectedBody: Data? {
            let storage = Self.value("_protocolStorage", of: self, declaredBy: URLSessionTask.self)
            let loader = storage.flatMap { Mirror(reflecting: $0).descendant("existing") }
            let properties = loader.flatMap { Self.value("properties", of: $0, declaredBy: URLProtocol.self) }
            return (properties as? [AnyHashable: Any])?.first { "\($0.key)" == "responseData" }?.value as? Data
        }

        private static func value(_ label: String, of object: Any, declaredBy type: Any.Type) -> Any? {
            var mirror = Mirror(reflecting: object)
            while mirror.subjectType != type, let parent = mirror.superclassMirror { mirror = parent }
            return mirror.descendant(label)
        }
    #endif
}
