/// Holds a token response (RFC 6749 §5.1).
///
/// Descriptions hide its secrets; encoders write them, for a store.
public struct OAuthToken: Sendable, Hashable, Codable {
    /// The token that signs requests.
    public var accessToken: Secret
    /// The token that refreshes the access token, if the server sent one.
    public var refreshToken: Secret?
    /// The token's type.
    ///
    /// The default is `Bearer`, also when the server sends none. Other types fail with `OAuthError.unknownTokenType`,
    /// except `N_A` in a token exchange: such a token is no access token, and signs no requests (RFC 8693 §2.2.1).
    public var type: String
    /// When the token was received.
    public var receivedAt: Date
    /// When the token expires, by this machine's clock, or nil if the server sent no lifetime.
    public var expiresAt: Date?
    /// The granted scope, or nil if the server sent none: then it is the requested one.
    public var scope: String?
    /// The other texts of the token response by name, such as `id_token`.
    public var extra: [String: Secret]
    /// The sign-in that the token belongs to; nil for one from elsewhere, or stored before there were such ids.
    ///
    /// It is stored with the token, so that sessions which share a store know each other's sign-ins apart.
    var signIn: UUID?

    /// Creates a token, for example one that the user copied from a web page.
    ///
    /// - Parameters:
    ///   - accessToken: The token that signs requests.
    ///   - refreshToken: The token that refreshes the access token. The default is nil.
    ///   - type: The token's type. The default is `Bearer`.
    ///   - receivedAt: When the token was received. The default is now.
    ///   - expiresIn: The lifetime in seconds from receipt. The default is nil: unknown, and so is infinity.
    ///   - scope: The granted scope. The default is nil: unknown.
    ///   - extra: Other texts by name. The default is none.
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
        // Servers send the type in any case, and some accept only the capital letter.
        Secret((type.lowercased() == "bearer" ? "Bearer" : type) + " " + accessToken.reveal())
    }

    static func isNotApplicable(_ type: String) -> Bool { type.uppercased() == "N_A" }

    /// Tells whether the token has expired, or is about to.
    ///
    /// A token of unknown lifetime has not. Nor has one that was received after `date`, since the clock was set back:
    /// then only the server knows.
    ///
    /// - Parameters:
    ///   - date: The time to check. The default is now.
    ///   - skew: How many seconds early a token counts as expired, for the time a request takes and for clocks that
    ///     differ; at most half of its lifetime. The default is 60.
    /// - Returns: Whether to refresh the token before a request.
    public func isExpired(at date: Date = Date(), skew: TimeInterval = 60) -> Bool {
        guard let expiresAt, date >= receivedAt else { return false }
        let life = max(0, expiresAt.timeIntervalSince(receivedAt))
        return date >= expiresAt.addingTimeInterval(-min(max(0, skew), life / 2))
    }
}

extension OAuthToken {
    /// Tells whether both hold the same token response.
    public static func == (left: OAuthToken, right: OAuthToken) -> Bool { left.response == right.response }

    /// Feeds the token response to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(response) }

    /// What a server or a user gave: all but the sign-in.
    private var response: [AnyHashable?] { [accessToken, refreshToken, type, receivedAt, expiresAt, scope, extra] }

    /// The sign-in of all tokens that a program got without a user.
    static let unattended = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
