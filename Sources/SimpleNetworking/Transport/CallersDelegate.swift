/// A user's session delegate, as each of what it may be.
///
/// What is optional on Apple platforms has a default on Linux, which answers that it leaves the matter to us.
struct CallersDelegate: Sendable {
    let session: (any URLSessionDelegate)?
    let task: (any URLSessionTaskDelegate)?
    let data: (any URLSessionDataDelegate)?

    init(_ delegate: (any URLSessionDelegate)?) {
        session = delegate
        task = delegate as? any URLSessionTaskDelegate
        data = delegate as? any URLSessionDataDelegate
    }

    /// Shows a redirect; what the delegate says to it does not count.
    func see(_ redirect: HTTPURLResponse, of task: URLSessionTask, in session: URLSession, to request: URLRequest) {
        #if canImport(Darwin)
            self.task?.urlSession?(session, task: task, willPerformHTTPRedirection: redirect, newRequest: request) {
                _ in
            }
        #else
            self.task?.urlSession(session, task: task, willPerformHTTPRedirection: redirect, newRequest: request) { _ in
            }
        #endif
    }

    /// Asks for an answer to a challenge; `.performDefaultHandling` leaves it to us.
    func meet(
        _ challenge: URLAuthenticationChallenge,
        of task: URLSessionTask,
        in session: URLSession,
        _ answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let delegate = self.task else { return answer(.performDefaultHandling, nil) }
        #if canImport(Darwin)
            let asked: Void? = delegate.urlSession?(
                session,
                task: task,
                didReceive: challenge,
                completionHandler: answer
            )
            if asked == nil { answer(.performDefaultHandling, nil) }
        #else
            delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: answer)
        #endif
    }

    /// Asks for a stream of the content to send; nil leaves it to us.
    func makeStream(
        for task: URLSessionTask,
        in session: URLSession,
        _ answer: @escaping @Sendable (InputStream?) -> Void
    ) {
        guard let delegate = self.task else { return answer(nil) }
        #if canImport(Darwin)
            let asked: Void? = delegate.urlSession?(session, task: task, needNewBodyStream: answer)
            if asked == nil { answer(nil) }
        #else
            delegate.urlSession(session, task: task, needNewBodyStream: answer)
        #endif
    }

    /// Asks what to do with an answer whose head is here.
    func judge(
        _ response: URLResponse,
        of task: URLSessionDataTask,
        in session: URLSession,
        _ answer: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let delegate = data else { return answer(.allow) }
        #if canImport(Darwin)
            let asked: Void? = delegate.urlSession?(
                session,
                dataTask: task,
                didReceive: response,
                completionHandler: answer
            )
            if asked == nil { answer(.allow) }
        #else
            delegate.urlSession(session, dataTask: task, didReceive: response, completionHandler: answer)
        #endif
    }

    func receive(_ data: Data, of task: URLSessionDataTask, in session: URLSession) {
        #if canImport(Darwin)
            self.data?.urlSession?(session, dataTask: task, didReceive: data)
        #else
            self.data?.urlSession(session, dataTask: task, didReceive: data)
        #endif
    }

    func send(_ count: Int64, _ total: Int64, of expected: Int64, by task: URLSessionTask, in session: URLSession) {
        #if canImport(Darwin)
            self.task?.urlSession?(
                session,
                task: task,
                didSendBodyData: count,
                totalBytesSent: total,
                totalBytesExpectedToSend: expected
            )
        #else
            self.task?.urlSession(
                session,
                task: task,
                didSendBodyData: count,
                totalBytesSent: total,
                totalBytesExpectedToSend: expected
            )
        #endif
    }

    func complete(_ task: URLSessionTask, in session: URLSession, with error: (any Error)?) {
        #if canImport(Darwin)
            self.task?.urlSession?(session, task: task, didCompleteWithError: error)
        #else
            self.task?.urlSession(session, task: task, didCompleteWithError: error)
        #endif
    }

    #if canImport(Darwin)
        func receive(_ metrics: URLSessionTaskMetrics, of task: URLSessionTask, in session: URLSession) {
            self.task?.urlSession?(session, task: task, didFinishCollecting: metrics)
        }
    #endif
}
