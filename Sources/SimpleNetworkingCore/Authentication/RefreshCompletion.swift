import SimpleNetworkingSupport

/// Reports the end of a refresh.
///
/// Call the completion handler once, with an error if the credential couldn't be refreshed.
///
/// You can call the completion handler on any thread; later calls do nothing. If the completion handler is released
/// without being called, the refresh fails with `RefreshFailure.forgotten`, so no request waits forever.
public final class RefreshCompletion: Sendable {
    private let finish: Locked<(@Sendable ((any Error)?) -> Void)?>

    init(_ finish: @escaping @Sendable ((any Error)?) -> Void) { self.finish = Locked(finish) }

    /// Ends the refresh.
    ///
    /// If the refresh failed, pass an error; otherwise, pass no argument.
    public func callAsFunction(_ error: (any Error)? = nil) { finish.take()?(error) }

    /// Refreshes in a separate task, so that the new credential isn't lost when the waiting request is cancelled.
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

/// Explains why the library did not refresh a credential.
public enum RefreshFailure: Error, Sendable, Hashable {
    /// The refresh took longer than this many seconds.
    case timedOut(TimeInterval)
    /// The `RefreshCompletion` was released without being called.
    case forgotten
    /// The request's user has signed out, or another user has signed in; the request was not sent again.
    case signedOut
    /// The authenticator can't refresh credentials.
    case notRefreshable
}

extension RefreshFailure: CredentialFailure {
    package var kind: SimpleNetworkingError.AuthenticationFailure.Kind {
        switch self {
        case .signedOut: .signedOut
        case .notRefreshable: .signInNeeded
        case .timedOut, .forgotten: .refreshFailed
        }
    }
}

extension RefreshFailure: DescribedError {
    /// A sentence that describes the failure.
    package var shownText: String {
        switch self {
        case .timedOut(let seconds): "Refreshing the credential took longer than \(seconds) s."
        case .forgotten: "Refreshing the credential was begun, and its completion was never called."
        case .signedOut: "The account that the request was made for is signed out, or another one is signed in."
        case .notRefreshable: "The credential cannot be refreshed."
        }
    }
}

extension Error {
    /// Whether the request wasn't sent because its user has signed out.
    package var isSignOut: Bool {
        guard case .authentication(let failure)? = self as? SimpleNetworkingError else { return false }
        return failure.underlying as? RefreshFailure == .signedOut
    }
}
