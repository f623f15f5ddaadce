import SimpleNetworkingSupport

/// The credential with which a program requests a token.
///
/// For example, a grant can contain an authorization code, a password, a refresh token, or the client's own
/// credentials.
public struct Grant: Sendable {
    /// The `grant_type`.
    package let type: String
    /// The parameters of this grant.
    package let parameters: [(name: String, value: Secret)]
    /// Whether the configuration's scopes are sent with it.
    package let sendsScope: Bool
    /// The nonce that the ID token in the response must repeat.
    private(set) var nonce: Secret?

    /// Creates a grant of any type, such as the types that RFC 7523, RFC 8628 and RFC 8693 define.
    ///
    /// - Parameters:
    ///   - type: The value of the `grant_type` parameter.
    ///   - parameters: The parameters of this grant. The default is none.
    ///   - sendsScope: Whether the configuration's scopes are sent with the grant. The default is true.
    public init(type: String, parameters: [(name: String, value: Secret)] = [], sendsScope: Bool = true) {
        self.type = type
        self.parameters = parameters
        self.sendsScope = sendsScope
    }

    /// A grant that requests a token for the program itself (RFC 6749 §4.4).
    public static let clientCredentials = Grant(type: "client_credentials")

    /// Returns a grant that requests a token with the given user name and password (RFC 6749 §4.3), for legacy APIs.
    ///
    /// RFC 9700 advises against this grant, because the program sees the user's password.
    public static func password(user: String, password: Secret) -> Grant {
        Grant(type: "password", parameters: [("username", Secret(user)), ("password", password)])
    }

    /// Returns a grant that refreshes a token (RFC 6749 §6).
    public static func refresh(_ refreshToken: Secret) -> Grant {
        Grant(type: "refresh_token", parameters: [("refresh_token", refreshToken)], sendsScope: false)
    }

    /// Whether this is a refresh, which sends a refresh token that may be valid only once.
    var isRefresh: Bool { type == "refresh_token" }

    /// Redeems the code of a redirect (RFC 6749 §4.1.3, RFC 7636 §4.5); created by ``AuthorizationRequest``.
    static func authorizationCode(_ code: Secret, redirectURI: URL, verifier: Secret, nonce: Secret? = nil) -> Grant {
        var grant = Grant(
            type: "authorization_code",
            parameters: [
                ("code", code), ("redirect_uri", Secret(redirectURI.absoluteString)), ("code_verifier", verifier),
            ],
            sendsScope: false
        )
        grant.nonce = nonce
        return grant
    }
}
