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
        guard let claims = try? JSONDecoder().decode(Claims.self, from: payload) else {
            throw .invalidIDToken(reason: "it lacks a claim that OpenID demands")
        }
        issuer = claims.iss
        subject = claims.sub
        audiences = claims.aud.names
        expiresAt = Date(timeIntervalSince1970: claims.exp)
        issuedAt = claims.iat.map { Date(timeIntervalSince1970: $0) }
        nonce = claims.nonce.map { Secret($0) }
        authorizedParty = claims.azp
        self.payload = payload
    }

    /// Decodes additional claims, such as the user's name or email address.
    ///
    /// - Throws: `DecodingError`.
    public func claims<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: payload)
    }

    private struct Claims: Decodable {
        let iss: String
        let sub: String
        let aud: Audience
        let exp: TimeInterval
        let iat: TimeInterval?
        let nonce: String?
        let azp: String?
    }

    /// One name, or several (RFC 7519 §4.1.3).
    private struct Audience: Decodable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            names = try (try? value.decode([String].self)) ?? [value.decode(String.self)]
        }
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
