/// Adds what only the moment of sending decides: the credential of the client's authenticator.
protocol RequestSigner: Sendable {
    /// Returns the request with the current credential, which is refreshed first if it has expired.
    ///
    /// `beforeWaiting` is called before the method waits for a refresh.
    ///
    /// - Throws: `.authentication` if there is no credential to send, or if the request's user has signed out.
    func sign(_ request: TransportRequest, beforeWaiting: () -> Void) async throws -> TransportRequest

    /// Returns the request with the current credential, even if it has expired, and without waiting for a refresh.
    ///
    /// What looks up a stored response, or an equal request in flight, needs to know the account.
    func preview(_ request: TransportRequest) async throws -> TransportRequest

    /// Returns whether the last signature is still that of the client's credential, which a mark describes.
    ///
    /// - Throws: `.authentication` if the request's user has signed out.
    func isCurrent(_ mark: RefreshState.Mark, for request: TransportRequest) throws -> Bool

    /// Notes that the request was suspended, so that a credential that was refreshed for it may have expired.
    func noteSuspension()

    /// Notes the account of the current credential before a wait during which the user may change.
    func noteAccount(for request: TransportRequest) async throws
}
