/// Holds what a token is asked for with: a code, a password, a refresh token, or nothing but the program's own name.
public struct Grant: Sendable {
    /// The `grant_type`.
    public let type: String
    /// The parameters that belong to it.
    public let parameters: [(name: String, value: Secret)]
    /// Whether the configuration's scopes are sent with it.
    public let sendsScope: Bool

    /// Makes a grant of any kind, such as one of RFC 7523 or RFC 8628.
    ///
    /// - Parameters:
    ///   - type: The `grant_type`.
    ///   - parameters: The parameters that belong to it. The default is none.
    ///   - sendsScope: Whether the configuration's scopes are sent with it. The default is true.
    public init(type: String, parameters: [(name: String, value: Secret)] = [], sendsScope: Bool = true) {
        self.type = type
        self.parameters = parameters
        self.sendsScope = sendsScope
    }

    /// Asks in the program's own name (RFC 6749 §4.4).
    public static let clientCredentials = Grant(type: "client_credentials")

    /// Asks with a user's name and password (RFC 6749 §4.3), for old APIs.
    ///
    /// The program gets to see the password, which RFC 9700 advises against.
    public static func password(user: String, password: Secret) -> Grant {
        Grant(type: "password", parameters: [("username", Secret(user)), ("password", password)])
    }

    /// Asks for a new token in place of an old one (RFC 6749 §6).
    public static func refresh(_ refreshToken: Secret) -> Grant {
        Grant(type: "refresh_token", parameters: [("refresh_token", refreshToken)], sendsScope: false)
    }

    /// Asks with the code of a redirect (RFC 6749 §4.1.3, RFC 7636 §4.5); made by ``AuthorizationRequest``.
    static func authorizationCode(_ code: Secret, redirectURI: URL, verifier: Secret) -> Grant {
        Grant(
            type: "authorization_code",
            parameters: [
                ("code", code), ("redirect_uri", Secret(redirectURI.absoluteString)), ("code_verifier", verifier),
            ],
            sendsScope: false
        )
    }
}
