import SimpleNetworkingSupport

/// Signs every attempt with Digest authentication (RFC 7616), using SHA-256 or MD5.
///
/// ```swift
/// let api = SimpleNetworking(host: "printer.example.com") {
///     $0.authenticator = DigestAuthenticator(user: "ada", password: "open sesame")
/// }
/// ```
///
/// The client sends the first request without credentials. The server's 401 response carries a challenge, and the
/// client sends the request again with a response to the challenge. Later requests are signed at once. If the server
/// offers several challenges, the client uses the strongest challenge that it supports. The client replaces an expired
/// challenge without calling handlers. They receive a 401 response only if the password is wrong.
///
/// The challenge's quality of protection must include `auth`, or be absent or empty, as in RFC 2069. A challenge that
/// offers only `auth-int` is left unanswered. A request that is redirected to another path carries the signature for the
/// original path, which most servers reject.
public final class DigestAuthenticator: CountingAuthenticator {
    /// Holds the server's challenge, which is used to sign a request.
    public struct Credential: Sendable, Equatable {
        /// The challenge; nil before the first challenge.
        fileprivate let challenge: DigestChallenge?
        /// The number of requests signed with the challenge's nonce.
        fileprivate let count: Locked<UInt32>

        /// Returns whether both credentials hold the same challenge.
        public static func == (first: Credential, second: Credential) -> Bool { first.challenge == second.challenge }
    }

    private struct State {
        var credential = Credential(challenge: nil, count: Locked(0))
        /// The newest challenge from a 401, which the next refresh uses.
        var offered: DigestChallenge?
    }

    private let user: DigestChallenge.User
    private let state = Locked(State())

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - user: The user name.
    ///   - password: The password, which is never sent.
    public init(user: String, password: String) {
        self.user = DigestChallenge.User(name: user, password: Secret(password))
    }

    /// Returns the current challenge.
    ///
    /// - Throws: `SimpleNetworkingError.AuthenticationFailure` if the user name can't be sent.
    public func credential() async throws -> Credential? {
        guard user.name.isUserName else { throw Self.failure }
        return state.withLock { $0.credential }
    }

    private static let failure = SimpleNetworkingError.AuthenticationFailure(
        reason: "Digest credentials cannot hold a user name with a colon, nor control characters (RFC 7616)"
    )

    /// Sets the `Authorization` field.
    ///
    /// Before the first challenge, this method does nothing.
    public func sign(_ request: inout TransportRequest, with credential: Credential) {
        guard let challenge = credential.challenge else { return }
        let count = credential.count.withLock { count in
            count += 1
            return count
        }
        request.headers["Authorization"] = challenge.response(
            of: user,
            to: request.head.method,
            request.head.target,
            count: count,
            clientNonce: UUID().uuidString
        )
    }

    package func preview(_ request: inout TransportRequest, with credential: Credential) {
        if credential.challenge != nil { request.headers["Authorization"] = "Digest" }
    }

    /// Returns true for a 401 response with a challenge to which this authenticator can respond.
    public func isRefusal(_ response: TransportResponse) -> Bool {
        guard response.httpStatus == 401, let challenge = DigestChallenge(response.headers) else { return false }
        state.withLock { $0.offered = challenge }
        return true
    }

    /// Adopts the newest challenge.
    ///
    /// - Throws: `RefreshFailure.notRefreshable` if no challenge was received.
    public func refresh(_ credential: Credential) async throws -> Credential {
        try state.withLock { state in
            guard let offered = state.offered.take() else {
                // Another client that shares this authenticator may have taken it.
                if state.credential == credential { throw RefreshFailure.notRefreshable }
                return state.credential
            }
            let former = state.credential
            let count = former.challenge?.nonce == offered.nonce ? former.count : Locked(0)
            state.credential = Credential(challenge: offered, count: count)
            return state.credential
        }
    }

    /// Returns the user name.
    public func identity(of credential: Credential) -> String { user.name }

    /// Returns a digest of the name and the password, so that the name alone doesn't give access to content that is kept.
    public func cacheIdentity(of credential: Credential) -> String? {
        Digest([user.name, user.password.reveal()], salt: []).text
    }
}

extension DigestAuthenticator: ExpiryTellingAuthenticator {
    package func isExpiry(_ refusal: TransportResponse) -> Bool { DigestChallenge(refusal.headers)?.isStale == true }
}
