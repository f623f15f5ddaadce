/// Authorizes a client's requests: signs every attempt, and refreshes a credential that the server refuses.
///
/// Put one into `Configuration.authenticator`. However many requests are refused at once, `refresh(_:)` is called once:
/// the others wait for it, each of them can be cancelled on its own, and all are sent again with the new credential. A
/// request that is refused with the newest credential, too, causes no second refresh: its handlers get the server's
/// response. If another request's refresh has revoked its credential meanwhile, it is sent again with the next one, up
/// to five times. A resource that refuses refreshed credentials causes at most one refresh a minute, and all such
/// resources at most three. Attempts to untrusted origins are not signed. Implement it for a scheme of your own; see
/// also `Configuration.authenticate(user:password:)` and `BearerAuthenticator`.
public protocol Authenticator: Sendable {
    /// What signs a request, such as a token.
    associatedtype Credential: Sendable, Equatable

    /// Returns the current credential, or nil to send attempts unsigned, for example before sign-in.
    ///
    /// Called before each attempt, from any number of tasks, and never within the call that executes a request.
    func credential() async throws -> Credential?

    /// Adds a credential to an attempt.
    ///
    /// Fields that it adds are secret: hidden in texts, and removed from redirects to another origin.
    func sign(_ request: inout TransportRequest, with credential: Credential)

    /// Tells whether a credential has expired, so that it is refreshed before it is sent; the default is false.
    func isExpired(_ credential: Credential) -> Bool

    /// Tells whether a response refuses the credential.
    ///
    /// The default is status 401. A 403 accepts the credential and denies access: refreshing does not help.
    func isRefusal(_ response: TransportResponse) -> Bool

    /// Refreshes a credential that was refused or has expired, stores the new one, and returns it.
    ///
    /// Calls do not overlap, unless one has timed out or another user has signed in. If the authenticator is a class or an
    /// actor, they don't do so from several clients either, and one refresh serves them all. Cancelled requests don't cancel
    /// it, so that no new credential gets lost. Requests that it sends itself are not signed. It may take
    /// `Configuration.refreshTimeout` seconds. The default throws `RefreshFailure.notRefreshable`.
    ///
    /// - Throws: Why there is no new credential; all waiting requests end with it, as `.authentication`.
    func refresh(_ credential: Credential) async throws -> Credential

    /// Returns a name of the credential's user: requests of one user are not sent again as another; the default is the
    /// same name for all credentials.
    func identity(of credential: Credential) -> String

    /// Returns the account whose stored responses a `ResponseCache` may use for this credential.
    ///
    /// Use a stable account ID from the server: one that survives a refresh and a restart, never passes to another
    /// account, and is not a name that anyone can claim. The default is `identity(of:)`; if that is empty, nil.
    ///
    /// - Returns: The account, or nil to go by the credential itself: a new one then starts with an empty cache.
    func cacheIdentity(of credential: Credential) -> String?
}

extension Authenticator {
    /// Returns false.
    public func isExpired(_ credential: Credential) -> Bool { false }

    /// Returns true for status 401.
    public func isRefusal(_ response: TransportResponse) -> Bool { response.httpStatus == 401 }

    /// Throws `RefreshFailure.notRefreshable`.
    public func refresh(_ credential: Credential) async throws -> Credential { throw RefreshFailure.notRefreshable }

    /// Returns the same name for all credentials.
    public func identity(of credential: Credential) -> String { "" }

    /// Returns the identity, or nil if it is empty.
    public func cacheIdentity(of credential: Credential) -> String? {
        let identity = identity(of: credential)
        return identity.isEmpty ? nil : identity
    }
}

/// Knows from a refusal whether the credential has merely expired.
protocol ExpiryTellingAuthenticator: Authenticator {
    /// Whether the server has refused the credential only since it has expired.
    func isExpiry(_ refusal: TransportResponse) -> Bool
}

/// Authorizes the requests of several clients, each of which refreshes the credential for its own requests.
package protocol SharedAuthenticator: Authenticator {
    /// Waits for the end of a refresh that any client has started, if one is running.
    func waitForRefresh() async
}
