/// Signs every attempt with a token (RFC 6750), and refreshes it when the server refuses it.
///
/// ```swift
/// let bearer = BearerAuthenticator(token: saved) { refused in try await fetchToken(insteadOf: refused) }
/// let api = SimpleNetworking(host: "api.example.com") { $0.authenticator = bearer }
/// ```
public final class BearerAuthenticator: Authenticator {
    /// Holds a token and the sign-in that it belongs to.
    public struct Credential: Sendable, Equatable {
        /// The token.
        let token: Secret
        fileprivate let account: Int
        /// The token that was set at sign-in; refreshed ones belong to the same account.
        fileprivate let first: Secret
    }

    private struct State {
        var token: Secret?
        var first: Secret?
        var account = BearerAuthenticator.newAccount()
    }

    /// Counts the accounts of all authenticators: another object has another user.
    private static let accounts = Locked(0)

    private static func newAccount() -> Int {
        accounts.withLock { accounts in
            accounts += 1
            return accounts
        }
    }

    private let state: Locked<State>
    private let fetch: (@Sendable (Secret) async throws -> Secret)?

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - token: The token, or nil before sign-in.
    ///   - refresh: Returns a new token for a refused one. The default is nil: a refusal is final.
    public init(token: Secret? = nil, refresh: (@Sendable (Secret) async throws -> Secret)? = nil) {
        state = Locked(State(token: token, first: token))
        fetch = refresh
    }

    /// The current token, or nil.
    ///
    /// Setting it signs in, setting nil signs out: requests that wait to be sent again with the old token end.
    public var token: Secret? {
        get { state.withLock { $0.token } }
        set { state.withLock { $0 = State(token: newValue, first: newValue) } }
    }

    /// Returns the current token.
    public func credential() async throws -> Credential? {
        state.withLock { state in
            state.token.map { Credential(token: $0, account: state.account, first: state.first ?? $0) }
        }
    }

    /// Sets the `Authorization` field.
    public func sign(_ request: inout TransportRequest, with credential: Credential) {
        request.headers["Authorization"] = "Bearer " + credential.token.reveal()
    }

    /// Returns true for status 401, if the token can be refreshed.
    public func isRefusal(_ response: TransportResponse) -> Bool { response.httpStatus == 401 && fetch != nil }

    /// Refreshes the token, and stores the new one unless `token` was set meanwhile.
    public func refresh(_ credential: Credential) async throws -> Credential {
        guard let fetch else { throw RefreshFailure.notRefreshable }
        let token = try await fetch(credential.token)
        let isKept = state.withLock { state in
            guard state.account == credential.account else { return false }
            state.token = token
            return true
        }
        guard isKept else { throw RefreshFailure.signedOut }
        return Credential(token: token, account: credential.account, first: credential.first)
    }

    /// Returns a name that changes whenever `token` is set, and that no other authenticator returns.
    public func identity(of credential: Credential) -> String { String(credential.account) }

    /// Returns a digest of the token that was set at sign-in, which refreshing leaves as it is.
    public func cacheIdentity(of credential: Credential) -> String? {
        Digest([credential.first.reveal()], salt: []).text
    }
}
