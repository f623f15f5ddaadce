import SimpleNetworkingSupport

/// A token response (RFC 6749 §5.1).
///
/// Descriptions hide the token's secrets. Encoders include the secrets, so that the token can be stored.
public struct OAuthToken: Sendable, Hashable, Codable {
    /// The token that signs requests.
    public var accessToken: Secret
    /// The token that refreshes the access token, if the server sent one.
    public var refreshToken: Secret?
    /// The token's type.
    ///
    /// The default is `Bearer`, which also applies if the server sends no type. A response with any other type fails
    /// with `OAuthError.unknownTokenType`, except for the type `N_A` in a token exchange. A token of the type `N_A` is
    /// not an access token and doesn't sign requests (RFC 8693 §2.2.1).
    public var type: String
    /// The time at which the token was received.
    public var receivedAt: Date
    /// The time at which the token expires, according to this machine's clock, or nil if the server sent no lifetime.
    public var expiresAt: Date?
    /// The granted scope, or nil if the server sent none because it granted the requested scope.
    public var scope: String?
    /// The other strings in the token response, keyed by name, such as `id_token`.
    public var extra: [String: Secret]
    /// The sign-in that the token belongs to; nil if it came from elsewhere or was stored before IDs existed.
    ///
    /// It is stored with the token, so that sessions that share a store can tell each other's sign-ins apart.
    var signIn: UUID?

    /// Creates a token, for example, one that the user copied from a web page.
    ///
    /// - Parameters:
    ///   - accessToken: The token that signs requests.
    ///   - refreshToken: The token that refreshes the access token. The default is nil.
    ///   - type: The token's type. The default is `Bearer`.
    ///   - receivedAt: The time at which the token was received. The default is now.
    ///   - expiresIn: The lifetime in seconds from receipt. If it is nil (the default) or infinity, the lifetime is
    ///     unknown.
    ///   - scope: The granted scope. If nil (the default), the scope is unknown.
    ///   - extra: Other strings, keyed by name. The default is empty.
    public init(
        accessToken: Secret,
        refreshToken: Secret? = nil,
        type: String = "Bearer",
        receivedAt: Date = Date(),
        expiresIn: TimeInterval? = nil,
        scope: String? = nil,
        extra: [String: Secret] = [:]
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.type = type
        self.receivedAt = receivedAt
        // Neither infinity nor NaN can be stored.
        self.expiresAt = expiresIn.flatMap { $0.isFinite ? receivedAt.addingTimeInterval($0) : nil }
        self.scope = scope
        self.extra = extra
    }

    /// The value of the `Authorization` field, such as `Bearer …` (RFC 6750 §2.1).
    public var authorization: Secret {
        // Servers send the type in any case, and some accept only the capitalized form.
        Secret((type.lowercased() == "bearer" ? "Bearer" : type) + " " + accessToken.reveal())
    }

    static func isNotApplicable(_ type: String) -> Bool { type.uppercased() == "N_A" }

    /// Returns whether the token has expired or is about to expire.
    ///
    /// A token with an unknown lifetime isn't considered expired. The same applies to a token that was received after
    /// `date`: the clock was set back, and only the server knows whether the token has expired.
    ///
    /// - Parameters:
    ///   - date: The time to check. The default is now.
    ///   - skew: How many seconds early a token is considered expired, to allow for the duration of a request and for
    ///     differences between clocks. The skew is limited to half of the token's lifetime. The default is 60.
    /// - Returns: Whether to refresh the token before a request.
    public func isExpired(at date: Date = Date(), skew: TimeInterval = 60) -> Bool {
        guard let expiresAt, date >= receivedAt else { return false }
        let life = max(0, expiresAt.timeIntervalSince(receivedAt))
        return date >= expiresAt.addingTimeInterval(-min(max(0, skew), life / 2))
    }
}

extension OAuthToken {
    /// Returns whether the two tokens contain the same token response.
    public static func == (left: OAuthToken, right: OAuthToken) -> Bool { left.response == right.response }

    /// Hashes the token response.
    public func hash(into hasher: inout Hasher) { hasher.combine(response) }

    /// The values from a server or a user: everything but the sign-in.
    private var response: [AnyHashable?] { [accessToken, refreshToken, type, receivedAt, expiresAt, scope, extra] }

    /// The sign-in of all tokens that a program got without a user.
    static let unattended = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
