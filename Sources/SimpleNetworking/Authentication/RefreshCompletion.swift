/// Reports the end of a refresh: call it once, with an error if the credential could not be refreshed.
///
/// It may be called on any thread; later calls do nothing. If it is released without having been called, the refresh
/// fails with `RefreshFailure.forgotten`, so that no request waits forever.
public final class RefreshCompletion: Sendable {
    private let finish: Locked<(@Sendable ((any Error)?) -> Void)?>

    init(_ finish: @escaping @Sendable ((any Error)?) -> Void) { self.finish = Locked(finish) }

    /// Ends the refresh: with an error if it failed, without an argument if it succeeded.
    public func callAsFunction(_ error: (any Error)? = nil) { finish.take()?(error) }

    /// Refreshes in a task of its own: the new credential must not be lost when the waiting request is cancelled.
    func refresh(on scheduler: Scheduler?, _ work: @escaping @Sendable () async throws -> Void) {
        Task.start(on: scheduler) {
            do {
                try await work()
                self()
            } catch {
                self(error)
            }
        }
    }

    deinit { callAsFunction(RefreshFailure.forgotten) }
}

/// Tells why the library did not refresh a credential.
public enum RefreshFailure: Error, Sendable, Hashable {
    /// The refresh took longer than this many seconds.
    case timedOut(TimeInterval)
    /// The `RefreshCompletion` was released without a call.
    case forgotten
    /// The request's user is signed out, or another one has signed in; the request was not sent again.
    case signedOut
    /// The authenticator can't refresh credentials.
    case notRefreshable
}

extension RefreshFailure: DescribedError {
    /// What happened, in a sentence.
    var shownText: String {
        switch self {
        case .timedOut(let seconds): "Refreshing the credential took longer than \(seconds) s."
        case .forgotten: "Refreshing the credential was begun, and its completion was never called."
        case .signedOut: "The account that the request was made for is signed out, or another one is signed in."
        case .notRefreshable: "The credential cannot be refreshed."
        }
    }
}
