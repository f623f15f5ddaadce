extension SimpleRequest {
    /// Waits until the current execution has ended, and all handlers that were added before have run.
    ///
    /// A command-line tool waits so for its handlers before it exits, and a test before it looks at what they did.
    ///
    /// After the end it returns at once. A request that is never executed has no end: so that the caller fails instead
    /// of hanging, the wait ends after a timeout, with `.failed` and a ``SimpleRequest/EndTimeout``. It also ends when its task is
    /// cancelled, for example by a test's time limit, with `.cancelled`. The request itself continues in both cases.
    ///
    /// A request that is waited for goes on when all objects that its handlers are bound to were released.
    ///
    /// - Parameter seconds: The timeout, in real time. The default is nil: as long as the execution takes, but 120 for a
    ///   request that is not executed.
    /// - Returns: The result that completion handlers get.
    @discardableResult nonisolated public func ended(
        timeout seconds: TimeInterval? = nil
    ) async -> Result<SimpleResponse, SimpleNetworkingError> { await ended(timeout: seconds, orExecutedWithin: 120) }

    nonisolated func ended(
        timeout seconds: TimeInterval?,
        orExecutedWithin patience: TimeInterval
    ) async -> Result<SimpleResponse, SimpleNetworkingError> {
        let first = FirstResult<Result<SimpleResponse, SimpleNetworkingError>>()
        let limit = seconds ?? patience
        let cancelTimer = SystemClock().schedule(after: limit) { [weak self] in
            // It has limits of its own, such as its timeout.
            if seconds == nil, self?.execution?.isActive == true { return }
            first.finish(.success(.failure(.failed(EndTimeout(seconds: limit, story: self?.trace)))))
        }
        // The handler stays with the request, which may be executed again.
        on(
            isolation: nil,
            completion: { [weak self] outcome in
                // Not within the handler: a caller that executes the request again needs its execution to have ended.
                let scheduler = self?.client?.settings.configuration.scheduler
                let finish = { @Sendable in first.finish(.success(outcome)) }
                if let scheduler { scheduler.run(finish) } else { DispatchQueue.global().async(execute: finish) }
            }
        )
        defer { cancelTimer() }
        return await (try? first.value()) ?? .failure(.cancelled(nil))
    }
}

extension SimpleRequest {
    /// Reports that a request did not end in time; see ``ended(timeout:)``.
    public struct EndTimeout: Error, Described {
        /// The timeout in seconds.
        let seconds: TimeInterval
        /// The trace until then; nil for a request that was released.
        let story: RequestTrace?

        /// The timeout, and the trace until then, with secrets hidden.
        var shownText: String {
            "no completion handler ran within \(seconds) s\(story.map { ":\n\($0)" } ?? ", and the request was released")"
        }
    }
}
