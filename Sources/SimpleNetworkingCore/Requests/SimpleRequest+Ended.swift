import SimpleNetworkingSupport

extension SimpleRequest {
    /// Waits until the current execution has ended and all handlers added before this call have run.
    ///
    /// Call this method in a command-line tool before the tool exits, or in a test before you check the effects of
    /// handlers.
    ///
    /// If the execution has already ended, this call returns immediately. If the request is never executed, the wait
    /// times out with `.failed`, which contains a ``SimpleRequest/EndTimeout``. If the waiting task is cancelled (for
    /// example, by a test's time limit), the wait ends with `.cancelled`. The request itself continues, even if the
    /// wait has ended.
    ///
    /// A request that you wait for continues even if all objects to which its handlers are bound are deallocated.
    ///
    /// - Parameter seconds: The timeout in seconds of real time. If nil (the default), there is no timeout while the
    ///   request is being executed, and a timeout of 120 seconds otherwise.
    /// - Returns: The result that completion handlers receive.
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
            // An active execution has its own limits, such as its timeout.
            if seconds == nil, self?.execution?.isActive == true { return }
            first.finish(.success(.failure(.failed(EndTimeout(seconds: limit, trace: self?.trace)))))
        }
        let wait = Wait()
        let finish: (Result<SimpleResponse, SimpleNetworkingError>) -> Void = { [weak self] outcome in
            // Resume outside the handler: a caller that executes the request again needs this execution to have ended.
            let scheduler = self?.client?.settings.configuration.scheduler
            let finish = { @Sendable in first.finish(.success(outcome)) }
            if let scheduler { scheduler.run(finish) } else { DispatchQueue.global().async(execute: finish) }
        }
        // The handler stays with the request, which may be executed again.
        _ = add(.completion, .completion(finish), at: CallSite(owner: wait), isCounted: false)
        if seconds == nil { execution?.noteCaller() }
        defer {
            cancelTimer()
            withExtendedLifetime(wait) {}
        }
        return await (try? first.value()) ?? .failure(.cancelled(nil))
    }
}

extension SimpleRequest {
    /// Owns the handler of a waiting call, which keeps the request going until the call returns.
    private final class Wait: Sendable {}

    /// Reports that a request didn't end before the timeout of ``ended(timeout:)``.
    public struct EndTimeout: Error, Described {
        /// The timeout in seconds.
        let seconds: TimeInterval
        /// The trace up to the timeout; nil if the request was released.
        let trace: RequestTrace?

        /// The timeout and the trace up to it, with secrets hidden.
        package var shownText: String {
            "no completion handler ran within \(seconds) s\(trace.map { ":\n\($0)" } ?? ", and the request was released")"
        }
    }
}
