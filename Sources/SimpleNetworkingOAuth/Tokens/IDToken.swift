import SimpleNetworkingSupport

/// The claims of an ID token, in which an OpenID server identifies the signed-in user (OpenID Connect Core 1.0 §2).
///
/// If the configuration's scopes contain `openid`, an ``OAuthSession`` validates each ID token that it receives, as
/// specified in §3.1.3.7. The session checks the audience, the expiry, the nonce of the sign-in, and the issuer, if the
/// configuration has one. A sign-in with a code and a nonce fails if the response contains no ID token. The session
/// doesn't check the signature, because the token comes directly from the token endpoint over TLS. Don't trust an ID
/// token from another source.
public struct IDToken: Sendable {
    /// The issuer identifier of the server.
    public let issuer: String
    /// The user's ID, which the server never assigns to another user.
    public let subject: String
    /// The programs that the token is intended for.
    public let audiences: [String]
    /// The time at which the token expires, according to the server's clock.
    ///
    /// Users stay signed in after this time.
    public let expiresAt: Date
    /// The time at which the token was issued, according to the server's clock.
    public let issuedAt: Date?

    let nonce: Secret?
    /// The program that the token was issued to, if specified.
    let authorizedParty: String?
    private let payload: Data

    /// Reads a token.
    ///
    /// - Throws: `OAuthError.invalidIDToken` if it isn't a JSON Web Token with the claims that OpenID requires.
    init(_ text: Secret) throws(OAuthError) {
        let parts = text.reveal().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]) else {
            throw .invalidIDToken(reason: "it is not a signed JSON Web Token")
        }
        guard let claims = JSONMembers(payload), let issuer = claims.string("iss"), let subject = claims.text("sub"),
            let audiences = claims.audiences, let expiresAt = claims.date("exp")
        else { throw .invalidIDToken(reason: "it lacks a claim that OpenID demands") }
        self.issuer = issuer
        self.subject = subject
        self.audiences = audiences
        self.expiresAt = expiresAt
        issuedAt = claims.date("iat")
        nonce = claims.text("nonce").map { Secret($0) }
        authorizedParty = claims.text("azp")
        self.payload = payload
    }

    /// Decodes additional claims, such as the user's name or email address.
    ///
    /// - Throws: `DecodingError`.
    public func claims<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: payload)
    }
}

extension JSONMembers {
    /// One name, or several (RFC 7519 §4.1.3).
    fileprivate var audiences: [String]? { string("aud").map { [$0] } ?? list("aud") }

    /// Returns a time in seconds since 1970, before the year 10000.
    fileprivate func date(_ name: String) -> Date? {
        number(name).map { Date(timeIntervalSince1970: min(max($0, 0), 253_402_300_799)) }
    }
}

extension OAuthToken {
    /// The claims of the user who has signed in, or nil if the server sent no ID token.
    ///
    /// - Throws: `OAuthError.invalidIDToken` if the ID token can't be read.
    public var idToken: IDToken? {
        get throws(OAuthError) {
            guard let text = extra["id_token"] else { return nil }
            return try IDToken(text)
        }
    }
}
