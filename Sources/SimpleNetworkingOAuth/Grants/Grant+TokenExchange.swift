import SimpleNetworkingSupport

extension Grant {
    /// The type of a token in a token exchange (RFC 8693 §3).
    ///
    /// Servers may support types that aren't predefined.
    public struct TokenType: RawRepresentable, Hashable, Sendable {
        /// The type's URI.
        public let rawValue: String
        /// Creates a token type from its URI.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An access token of an OAuth server.
        public static let accessToken = TokenType(rawValue: "urn:ietf:params:oauth:token-type:access_token")
        /// A refresh token of an OAuth server.
        public static let refreshToken = TokenType(rawValue: "urn:ietf:params:oauth:token-type:refresh_token")
        /// An ID token of an OpenID server.
        public static let idToken = TokenType(rawValue: "urn:ietf:params:oauth:token-type:id_token")
        /// A base64url-encoded SAML 1.1 assertion.
        public static let saml1 = TokenType(rawValue: "urn:ietf:params:oauth:token-type:saml1")
        /// A base64url-encoded SAML 2.0 assertion.
        public static let saml2 = TokenType(rawValue: "urn:ietf:params:oauth:token-type:saml2")
        /// A JSON Web Token of another kind.
        public static let jwt = TokenType(rawValue: "urn:ietf:params:oauth:token-type:jwt")
    }

    /// Returns a grant that exchanges a token for another token (RFC 8693 §2.1).
    ///
    /// For example, you can get a token that another service accepts. To learn the type of the new token, read
    /// `issued_token_type` in ``OAuthToken/extra``.
    ///
    /// - Parameters:
    ///   - subject: The token to exchange, which identifies the account that the new token is used for.
    ///   - type: The type of the token to exchange. The default is an access token.
    ///   - actor: The token of the party that acts for the subject, and the type of that token. If nil (the default),
    ///     the request doesn't include an actor token.
    ///   - requested: The type of the new token. If nil (the default), the server chooses the type.
    ///   - audiences: The names of the services that should accept the token. The default is none.
    ///   - resources: The URLs of the services that should accept the token. The default is none.
    /// - Returns: The grant with which to request the new token.
    public static func tokenExchange(
        _ subject: Secret,
        as type: TokenType = .accessToken,
        actor: (token: Secret, type: TokenType)? = nil,
        requesting requested: TokenType? = nil,
        audiences: [String] = [],
        resources: [URL] = []
    ) -> Grant {
        var parameters = [("subject_token", subject), ("subject_token_type", Secret(type.rawValue))]
        if let actor {
            parameters += [("actor_token", actor.token), ("actor_token_type", Secret(actor.type.rawValue))]
        }
        if let requested { parameters.append(("requested_token_type", Secret(requested.rawValue))) }
        parameters += audiences.map { ("audience", Secret($0)) }
        parameters += resources.map { ("resource", Secret($0.absoluteString)) }
        return Grant(type: exchangeType, parameters: parameters)
    }

    /// Whether this is a token exchange, which need not return an access token.
    var isExchange: Bool { type == Self.exchangeType }

    private static let exchangeType = "urn:ietf:params:oauth:grant-type:token-exchange"
}
