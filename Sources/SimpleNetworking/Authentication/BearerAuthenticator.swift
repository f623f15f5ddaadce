/// Signs every attempt with a token (RFC 6750), and gets a new one where the server refuses it.
///
/// ```swift
/// let bearer = BearerAuthenticator(token: saved) { refused in try await fetchToken(insteadOf: refused) }
/// let api = SimpleNetworking(host: "api.example.com") { $0.authenticator = bearer }
/// ```
public final class BearerAuthenticator: Authenticator {
    /// A token, and whose it is.
    public struct Credential: Sendable, Equatable {
        /// The token.
        public let token: Secret
        fileprivate let account: Int
        /// The token that was set from outside, of which all others of the account were made.
        fileprivate let first: Secret
    }

    private struct State {
        var token: Secret?
        var first: Secret?
        var account = 0
    }

    private let state: Locked<State>
    private let fetch: (@Sendable (Secret) async throws -> Secret)?

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - token: The token, or nil as long as nobody is signed in.
    ///   - renew: Gets a new token for one that was refused. The default is nil: a refusal is final.
    public init(token: Secret? = nil, renew: (@Sendable (Secret) async throws -> Secret)? = nil) {
        state = Locked(State(token: token, first: token))
        fetch = renew
    }

    /// The token of whoever is signed in, or nil.
    ///
    /// Setting it signs somebody in, or out: what waits to be sent again with the token before is not.
    public var token: Secret? {
        get { state.withLock { $0.token } }
        set {
            state.withLock { state in
                state.token = newValue
                state.first = newValue
                state.account += 1
            }
        }
    }

    /// The token as it is now.
    public func credential() async throws -> Credential? {
        state.withLock { state in
            state.token.map { Credential(token: $0, account: state.account, first: state.first ?? $0) }
        }
    }

    /// Sets the `Authorization` field.
    public func sign(_ request: inout TransportRequest, with credential: Credential) {
        request.headers["Authorization"] = "Bearer " + credential.token.reveal()
    }

    /// Status 401, if there is a way to renew.
    public func isRefusal(_ response: TransportResponse) -> Bool { response.status == 401 && fetch != nil }

    /// Gets a new token, and keeps it unless somebody else has signed in meanwhile.
    public func renew(_ credential: Credential) async throws -> Credential {
        guard let fetch else { throw RenewalFailure.notRenewable }
        let token = try await fetch(credential.token)
        let isKept = state.withLock { state in
            guard state.account == credential.account else { return false }
            state.token = token
            return true
        }
        guard isKept else { throw RenewalFailure.signedOut }
        return Credential(token: token, account: credential.account, first: credential.first)
    }

    /// Changes with each token that is set from outside.
    public func identity(of credential: Credential) -> String { String(credential.account) }

    /// A digest of the token that was set from outside: its renewals belong to the same account.
    public func cacheIdentity(of credential: Credential) -> String? {
        Digest([credential.first.reveal()], salt: []).text
    }
}
