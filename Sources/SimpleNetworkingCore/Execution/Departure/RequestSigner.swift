import SimpleNetworkingSupport

/// Adds what only the moment of sending decides: the credential of the client's authenticator.
protocol RequestSigner: Sendable {
    /// Returns the request with the current credential, which is refreshed first if it has expired.
    ///
    /// The turn isn't kept while the method waits for a refresh, or if the credential takes its time.
    ///
    /// - Throws: `.authentication` if there is no credential to send, or if the request's user has signed out.
    func authorize(_ request: TransportRequest, keeping turn: KeptTurn) async throws -> TransportRequest

    /// Signs the request with its credential, right before it is sent.
    func sign(_ request: TransportRequest) -> TransportRequest

    /// Returns the request with the current credential, even if it has expired, and without waiting for a refresh.
    ///
    /// What looks up a response without the network, or an equal request in flight, needs to know the account.
    func preview(_ request: TransportRequest) async throws -> TransportRequest

    /// Returns what learns from the head of a successful response that the request's credential is accepted.
    ///
    /// The result is nil if nothing waits for that.
    func acceptance(of request: TransportRequest) -> HeadReaction?

    /// Returns whether the request's credential is still the client's, which a mark describes.
    ///
    /// With `isFirm`, only a refresh in progress holds the request back.
    ///
    /// - Throws: `.authentication` if the request's user has signed out.
    func isCurrent(_ mark: RefreshState.Mark, for request: TransportRequest, isFirm: Bool) throws -> Bool

    /// Notes that the request was suspended, so that a credential that was refreshed for it may have expired.
    func noteSuspension()

    /// Notes the account of the current credential before a wait during which the user may change.
    func noteAccount(for request: TransportRequest) async throws
}
