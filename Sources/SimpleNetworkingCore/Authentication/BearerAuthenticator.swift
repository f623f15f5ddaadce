import SimpleNetworkingSupport

/// Adds a bearer token (RFC 6750) to every attempt, and refreshes the token when the server rejects it.
///
/// ```swift
/// let bearer = BearerAuthenticator(token: saved) { refused in try await fetchToken(insteadOf: refused) }
/// let api = SimpleNetworking(host: "api.example.com") { $0.authenticator = bearer }
/// ```
public final class BearerAuthenticator: Authenticator {
    /// Holds a token and identifies the sign-in from which it originates.
    public struct Credential: Sendable, Equatable {
        /// The token.
        var token: Secret
        /// The token that was set at sign-in; refreshed tokens belong to the same account.
        fileprivate let first: Secret
        fileprivate let account = UUID()

        fileprivate init(signIn token: Secret) {
            self.token = token
            first = token
        }
    }

    private struct State {
        var credential: Credential?
        /// The number of times that `token` was set.
        var changes = 0
    }

    private let state: Locked<State>
    private let hasExpired: (@Sendable (Secret) -> Bool)?
    private let fetch: (@Sendable (Secret) async throws -> Secret)?
    private let fetchFirst: (@Sendable () async throws -> Secret)?

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - token: The user's own token, or nil before sign-in. Don't pass a placeholder: in a cache that several users
    ///     share, this token tells their responses apart.
    ///   - refresh: A closure that returns a new token for a rejected or expired token. The default is nil, which makes
    ///     every rejection final.
    ///   - isExpired: A closure that returns whether a token must be refreshed before it is sent, for example, because
    ///     the expiration date in a JSON Web Token has passed. If nil (the default), tokens are refreshed only after
    ///     the server has rejected them.
    ///   - signIn: A closure that returns the first token. It is called before a request is sent while `token` is nil,
    ///     once for all requests that wait for it. If it throws an error, these requests end with `.authentication`, and
    ///     the next request calls it again. Requests that it makes with the client are not signed, and don't wait. If
    ///     nil (the default), requests are sent without a token until `token` is set.
    public init(
        token: Secret? = nil,
        refresh: (@Sendable (Secret) async throws -> Secret)? = nil,
        isExpired: (@Sendable (Secret) -> Bool)? = nil,
        signIn: (@Sendable () async throws -> Secret)? = nil
    ) {
        state = Locked(State(credential: token.map(Credential.init)))
        fetch = refresh
        hasExpired = isExpired
        fetchFirst = signIn
    }

    /// The current token; nil if no user is signed in.
    ///
    /// Set a token to sign in, or nil to sign out. Setting this property ends the requests that are waiting to be
    /// resent with the old token.
    public var token: Secret? {
        get { state.withLock { $0.credential?.token } }
        set { state.withLock { $0 = State(credential: newValue.map(Credential.init), changes: $0.changes + 1) } }
    }

    /// Returns the current token.
    public func credential() async throws -> Credential? { state.withLock(\.credential) }

    /// Sets the `Authorization` field.
    public func sign(_ request: inout TransportRequest, with credential: Credential) {
        request.headers["Authorization"] = "Bearer " + credential.token.reveal()
    }

    /// Returns whether the token has expired and can be refreshed.
    public func isExpired(_ credential: Credential) -> Bool {
        fetch != nil && hasExpired?(credential.token) == true
    }

    /// Returns true for status 401, if the token can be refreshed.
    public func isRefusal(_ response: TransportResponse) -> Bool { response.httpStatus == 401 && fetch != nil }

    /// Refreshes the token, and stores the new token unless `token` was set in the meantime.
    ///
    /// If another refresh has replaced the token in the meantime, this method returns that refresh's token.
    public func refresh(_ credential: Credential) async throws -> Credential {
        guard let fetch else { throw RefreshFailure.notRefreshable }
        var refreshed = credential
        refreshed.token = try await fetch(credential.token)
        return try state.withLock { [refreshed] state in
            guard let current = state.credential, current.account == credential.account else {
                throw RefreshFailure.signedOut
            }
            if current.token != credential.token { return current }
            state.credential = refreshed
            return refreshed
        }
    }

    /// Returns an identifier that is unique to this authenticator and changes whenever `token` is set.
    public func identity(of credential: Credential) -> String { credential.account.uuidString }

    /// Returns a digest of the token that was set at sign-in; a refresh doesn't change it.
    public func cacheIdentity(of credential: Credential) -> String? {
        Digest([credential.first.reveal()], salt: []).text
    }
}

extension BearerAuthenticator: SignInAuthenticator {
    /// Requests and stores the first token, unless `token` was set in the meantime.
    var signIn: (@Sendable () async throws -> Void)? {
        guard let fetchFirst else { return nil }
        return { [state] in
            let changes = state.withLock(\.changes)
            let credential = Credential(signIn: try await fetchFirst())
            try state.withLock { state in
                if state.credential != nil { return }
                guard state.changes == changes else { throw RefreshFailure.signedOut }
                state.credential = credential
            }
        }
    }
}
