extension SimpleRequest {
    /// Waits until the current execution has ended, and all handlers that were added before have run.
    ///
    /// A command-line tool waits so for its handlers before it exits, and a test before it looks at what they did.
    ///
    /// After the end it returns at once. A request that is never executed has no end. So that the caller fails instead
    /// of hanging, the wait ends after a timeout, with `.failed` and a ``NotEnded``, and when its task is cancelled, for
    /// example by a test's time limit, with `.cancelled`; the request itself continues.
    ///
    /// - Parameter seconds: The timeout, in real time; `.infinity` for none. The default is 120, or 10 after the first
    ///   timeout, so that a bug that affects all tests does not take hours.
    /// - Returns: The result that completion handlers get.
    @discardableResult
    nonisolated public func ended(
        within seconds: TimeInterval? = nil
    ) async -> Result<SimpleResponse, SimpleNetworkingError> {
        let race = Race<Result<SimpleResponse, SimpleNetworkingError>>()
        let limit = seconds ?? (hasGivenUp.withLock { $0 } ? 10 : 120)
        let cancelTimer = SystemClock().schedule(after: limit) { [weak self] in
            if seconds == nil { hasGivenUp.withLock { $0 = true } }
            race.finish(.success(.failure(.failed(NotEnded(seconds: limit, story: self?.trace), nil, nil))))
        }
        // The handler stays with the request, which may be executed again.
        on(
            isolation: nil,
            completion: { outcome in
                // Not within the handler: a caller that executes the request again needs its execution to have ended.
                DispatchQueue.global().async { race.finish(.success(outcome)) }
            }
        )
        defer { cancelTimer() }
        return await (try? race.value()) ?? .failure(.cancelled(nil))
    }
}

private let hasGivenUp = Locked(false)

/// Reports that a request did not end in time; see ``SimpleRequest/ended(within:)``.
public struct NotEnded: Error, CustomStringConvertible {
    /// The timeout in seconds.
    public let seconds: TimeInterval
    /// The trace until then; nil for a request that was released.
    public let story: RequestTrace?

    /// The timeout, and the trace until then, with secrets hidden.
    public var description: String {
        "no completion handler ran within \(seconds) s\(story.map { ":\n\($0)" } ?? ", and the request was released")"
    }
}
