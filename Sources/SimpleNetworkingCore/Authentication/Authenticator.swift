import SimpleNetworkingSupport

/// Authorizes a client's requests: it signs every attempt, and refreshes a credential that the server rejects.
///
/// Set an authenticator as `Configuration.authenticator`. If the server rejects several requests at once, the client
/// calls `refresh(_:)` only once. The other requests wait for the refresh, and each can be cancelled individually.
/// After the refresh, the client sends all of them again with the new credential. If the server also rejects a request
/// with the newest credential, the client doesn't refresh again, and the request's handlers receive the server's
/// response. If another request's refresh revokes the credential of a request in flight, the client resends that
/// request with the next credential, up to five times. A resource that rejects refreshed credentials causes at
/// most one refresh per minute. All such resources together cause at most three refreshes per minute. Attempts to
/// untrusted origins are not signed.
///
/// Implement this protocol for your own authentication scheme. See also `Configuration.authenticate(with:password:)`
/// and `BearerAuthenticator`.
public protocol Authenticator: Sendable {
    /// The value that signs a request, such as a token.
    associatedtype Credential: Sendable, Equatable

    /// Returns the current credential. To send attempts unsigned (for example, before sign-in), return nil.
    ///
    /// The client calls this method before each request that it sends, possibly from several tasks at once, and never within the
    /// call that executes a request. The calls aren't shared: if this method requests a credential from a server, store
    /// the running task, so that all calls wait for the same request, and send it with another client. For bearer
    /// tokens, `BearerAuthenticator.init(token:refresh:isExpired:signIn:)` does this.
    func credential() async throws -> Credential?

    /// Adds a credential to a request that is about to be sent, separately for each redirect.
    ///
    /// Hooks and middleware don't see the credential. If the request waits again, this method is called again.
    ///
    /// The header fields that this method adds are secret: the client hides them in logs and descriptions, and removes
    /// them from redirects to another origin.
    func sign(_ request: inout TransportRequest, with credential: Credential)

    /// Returns whether a credential has expired and must be refreshed before it is sent. The default is false.
    func isExpired(_ credential: Credential) -> Bool

    /// Returns whether a response rejects the credential.
    ///
    /// The default is true for status 401. Status 403 means that the server accepts the credential but denies access,
    /// so a refresh doesn't help.
    func isRefusal(_ response: TransportResponse) -> Bool

    /// Refreshes a rejected or expired credential, stores the new credential, and returns it.
    ///
    /// Calls to this method don't overlap, unless one call has timed out or another user has signed in. If the
    /// authenticator is a class or an actor, calls from several clients don't overlap either, and one refresh serves
    /// all clients. Cancelling requests doesn't cancel the refresh, so a new credential isn't lost. Requests that this
    /// method sends are not signed. A refresh may take up to `Configuration.refreshTimeout` seconds.
    ///
    /// The default implementation, for credentials that can't be refreshed, throws `RefreshFailure.notRefreshable`. A
    /// method with a misspelled name or another type compiles but is never called, because it doesn't replace the
    /// default: if requests end with this error, compare your method with this declaration.
    ///
    /// - Throws: An error that explains why there is no new credential. All waiting requests then end with
    ///   `.authentication`, which contains this error.
    func refresh(_ credential: Credential) async throws -> Credential

    /// Returns an identifier of the credential's user. By default, all credentials have the same identifier.
    ///
    /// The client doesn't resend one user's requests on behalf of another user.
    func identity(of credential: Credential) -> String

    /// Returns the account for which content that is kept, such as in a cache, may be used with this credential.
    ///
    /// Return a stable account ID from the server. The ID must stay the same after a refresh and a restart, must never
    /// be reassigned to another account, and must not be a name that anyone can claim. The default is `identity(of:)`,
    /// or nil if that identifier is empty.
    ///
    /// - Returns: The account, or nil to identify the account by the credential itself. With nil, each new credential
    ///   starts with an empty cache.
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

    /// Returns the identity, or nil if the identity is empty.
    public func cacheIdentity(of credential: Credential) -> String? {
        let identity = identity(of: credential)
        return identity.isEmpty ? nil : identity
    }
}

/// Determines from a rejection whether the credential has only expired.
package protocol ExpiryTellingAuthenticator: Authenticator {
    /// Returns whether the server has rejected the credential only because it has expired.
    func isExpiry(_ refusal: TransportResponse) -> Bool
}

/// Signs each request differently, and counts what it has signed.
package protocol CountingAuthenticator: Authenticator {
    /// Adds a credential to a request that isn't sent, and doesn't count it.
    func preview(_ request: inout TransportRequest, with credential: Credential)
}

extension CountingAuthenticator {
    func preview(_ request: inout TransportRequest, ofAny credential: any Sendable) {
        if let credential = credential as? Credential { preview(&request, with: credential) }
    }
}

/// Requests a credential from a server if it has none.
package protocol RequestingAuthenticator: Authenticator {
    /// Returns the current credential without requesting one.
    func storedCredential() async throws -> Credential?
}

/// Signs in before the first request if it has no credential.
protocol SignInAuthenticator: Authenticator {
    /// Requests and stores the first credential; nil if only the program signs in.
    var signIn: (@Sendable () async throws -> Void)? { get }
}

/// Authorizes the requests of several clients, each of which refreshes the credential for its own requests.
package protocol SharedAuthenticator: Authenticator {
    /// Waits until the refresh that any client has started has ended, if a refresh is running.
    func waitForRefresh() async
}
