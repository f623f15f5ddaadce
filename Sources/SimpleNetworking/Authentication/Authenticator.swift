/// Authorizes a client's requests: signs every attempt, and refreshes a credential that the server rejects.
///
/// Set it as `Configuration.authenticator`. However many requests are rejected at once, `refresh(_:)` is called once.
/// The other requests wait for it, each can be cancelled on its own, and all are sent again with the new credential. A
/// request that is also rejected with the newest credential causes no second refresh: its handlers get the server's
/// response. If another request's refresh revokes its credential in the meantime, it is sent again with the next one,
/// up to five times. A resource that rejects refreshed credentials causes at most one refresh a minute, and all such
/// resources together at most three. Attempts to untrusted origins are not signed.
///
/// Implement this protocol for your own scheme. See also `Configuration.authenticate(with:password:)` and
/// `BearerAuthenticator`.
public protocol Authenticator: Sendable {
    /// The value that signs a request, such as a token.
    associatedtype Credential: Sendable, Equatable

    /// Returns the current credential, or nil to send attempts unsigned, for example before sign-in.
    ///
    /// The client calls it before each attempt, from any number of tasks, and never within the call that executes a
    /// request.
    func credential() async throws -> Credential?

    /// Adds a credential to an attempt.
    ///
    /// The fields it adds are secret: they are hidden in logs and descriptions, and removed from redirects to another
    /// origin.
    func sign(_ request: inout TransportRequest, with credential: Credential)

    /// Returns whether a credential has expired and must be refreshed before it is sent; the default is false.
    func isExpired(_ credential: Credential) -> Bool

    /// Returns whether a response rejects the credential.
    ///
    /// The default is true for status 401. A 403 accepts the credential and denies access, so a refresh doesn't help.
    func isRefusal(_ response: TransportResponse) -> Bool

    /// Refreshes a rejected or expired credential, stores the new one, and returns it.
    ///
    /// Calls do not overlap, unless one has timed out or another user has signed in. If the authenticator is a class
    /// or an actor, calls from several clients don't overlap either, and one refresh serves all of them. Cancelling
    /// requests doesn't cancel the refresh, so a new credential isn't lost. Requests that this method sends are not
    /// signed. It may take up to `Configuration.refreshTimeout` seconds. The default implementation throws
    /// `RefreshFailure.notRefreshable`.
    ///
    /// - Throws: The reason why there is no new credential; all waiting requests end with it, as `.authentication`.
    func refresh(_ credential: Credential) async throws -> Credential

    /// Returns an identifier of the credential's user; the default is the same for all credentials.
    ///
    /// Requests made for one user are not sent again for another.
    func identity(of credential: Credential) -> String

    /// Returns the account whose stored responses a `ResponseCache` may use for this credential.
    ///
    /// Use a stable account ID from the server: it must survive a refresh and a restart, never pass to another
    /// account, and not be a name that anyone can claim. The default is `identity(of:)`, or nil if that is empty.
    ///
    /// - Returns: The account, or nil to use the credential itself, so that each new credential starts with an empty
    ///   cache.
    func cacheIdentity(of credential: Credential) -> String?
}

extension Authenticator {
    /// Returns false.
    public func isExpired(_ credential: Credential) -> Bool { false }

    /// Returns true for status 401.
    public func isRefusal(_ response: TransportResponse) -> Bool { response.httpStatus == 401 }

    /// Throws `RefreshFailure.notRefreshable`.
    public func refresh(_ credential: Credential) async throws -> Credential { throw RefreshFailure.notRefreshable }

    /// Returns the same identifier for all credentials.
    public func identity(of credential: Credential) -> String { "" }

    /// Returns the identity, or nil if it is empty.
    public func cacheIdentity(of credential: Credential) -> String? {
        let identity = identity(of: credential)
        return identity.isEmpty ? nil : identity
    }
}

/// Recognizes from a rejection whether the credential has only expired.
protocol ExpiryTellingAuthenticator: Authenticator {
    /// Returns whether the server has rejected the credential only because it has expired.
    func isExpiry(_ refusal: TransportResponse) -> Bool
}

/// Authorizes the requests of several clients, each of which refreshes the credential for its own requests.
package protocol SharedAuthenticator: Authenticator {
    /// Waits for the end of a refresh that any client has started, if one is running.
    func waitForRefresh() async
}
