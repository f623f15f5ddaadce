import Foundation
import SimpleNetworking

extension SimpleRequest {
    /// Waits for the end of the execution that runs, when all handlers that were added before have run.
    ///
    /// After the end it gives the outcome. A request that was never executed has no end. So that a test fails instead of
    /// hanging, the wait gives up after a while, with `.failed` and a ``NotEnded``, and when its task is cancelled, as by a
    /// test's time limit, with `.cancelled`; the request itself goes on.
    ///
    /// - Parameter seconds: How long to wait at most, in real time. The default is 120, or 10 once such a wait has been given
    ///   up, so that a fault that concerns all tests does not take hours.
    /// - Returns: The outcome, which other handlers heard of too.
    @discardableResult
    nonisolated public func ended(
        within seconds: TimeInterval? = nil
    ) async -> Result<SimpleResponse, SimpleNetworkingError> {
        let waiting = Awaited<Result<SimpleResponse, SimpleNetworkingError>>()
        let limit = seconds ?? (hasGivenUp.withLock { $0 } ? 10 : 120)
        let cancelTimer = SystemClock().schedule(after: limit) { [weak self] in
            if seconds == nil { hasGivenUp.withLock { $0 = true } }
            waiting.end(with: .failure(.failed(NotEnded(seconds: limit, story: self?.trace), nil, nil)))
        }
        // The handler stays with the request, which may be executed again.
        on(
            isolation: nil,
            completion: { outcome in
                // Not within the handler: whoever goes on at once would execute a request that has yet to end.
                DispatchQueue.global().async { waiting.end(with: outcome) }
            }
        )
        defer { cancelTimer() }
        return await waiting.value(ifCancelled: .failure(.cancelled(nil)))
    }
}

private let hasGivenUp = Protected(false)

/// Says that a request did not end in time.
public struct NotEnded: Error, CustomStringConvertible {
    /// How long was waited, in seconds.
    public let seconds: TimeInterval
    /// What had happened until then; nil for a request that was gone.
    public let story: RequestTrace?

    /// How long was waited, and what had happened until then.
    public var description: String {
        "no completion handler ran within \(seconds) s\(story.map { ":\n\($0)" } ?? ", and the request is gone")"
    }
}
