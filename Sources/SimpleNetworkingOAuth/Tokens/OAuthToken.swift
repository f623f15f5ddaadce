/// Holds an access token and what came with it (RFC 6749 §5.1).
///
/// It prints without its secrets, and is encoded with them, for a store.
public struct OAuthToken: Sendable, Hashable, Codable {
    /// What requests are signed with.
    public var accessToken: Secret
    /// What another access token is had with, if the server gave one.
    public var refreshToken: Secret?
    /// How the token is to be sent.
    ///
    /// The default is `Bearer`, also for a server that does not say it. A server's token of any other type is refused with
    /// `OAuthError.unknownTokenType`.
    public var type: String
    /// When the token was received.
    public var receivedAt: Date
    /// When the token expires, by this machine's clock, or nil if the server did not say.
    public var expiresAt: Date?
    /// What the token is good for, as the server said, or nil if it did not: what was asked for.
    public var scope: String?
    /// The other texts of the answer by name, such as `id_token`.
    public var extra: [String: Secret]

    /// Makes a token, such as one that the user has copied from a web page.
    ///
    /// - Parameters:
    ///   - accessToken: What requests are signed with.
    ///   - refreshToken: What another access token is had with. The default is none.
    ///   - type: How the token is to be sent. The default is `Bearer`.
    ///   - receivedAt: When the token was received. The default is now.
    ///   - expiresIn: Seconds from its receipt to its end. The default is nil: not known.
    ///   - scope: What the token is good for. The default is nil: not known.
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
        self.expiresAt = expiresIn.map { receivedAt.addingTimeInterval($0) }
        self.scope = scope
        self.extra = extra
    }

    /// The value of the `Authorization` field that carries the token, such as `Bearer …` (RFC 6750 §2.1).
    public var authorization: Secret {
        // Servers write the type as they like, and some of them insist on the capital letter.
        Secret((type.lowercased() == "bearer" ? "Bearer" : type) + " " + accessToken.reveal())
    }

    /// Tells whether the token has expired, or is about to.
    ///
    /// A token without a known end never has. One that seems to come from the future, since the clock was set back, has
    /// not either: then only the server knows.
    ///
    /// - Parameters:
    ///   - date: The moment to tell it for. The default is now.
    ///   - skew: Seconds before its end from which a token counts as expired, for the time a request takes and for clocks
    ///     that differ; never more than half of its life. The default is 60.
    /// - Returns: Whether another token should be had before a request is sent.
    public func isExpired(at date: Date = Date(), skew: TimeInterval = 60) -> Bool {
        guard let expiresAt, date >= receivedAt else { return false }
        let life = max(0, expiresAt.timeIntervalSince(receivedAt))
        return date >= expiresAt.addingTimeInterval(-min(max(0, skew), life / 2))
    }
}
