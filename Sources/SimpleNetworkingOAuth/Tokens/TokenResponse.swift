import SimpleNetworkingSupport

/// Reads a token response (RFC 6749 §5), tolerating common server mistakes.
struct TokenResponse {
    private let members: JSONMembers
    /// The values that no text may show.
    private let secrets: [Secret]

    init?(_ data: Data) {
        guard let members = JSONMembers(data) else { return nil }
        self.members = members
        secrets = members.secrets(of: data)
    }

    /// Reads the parameters of a redirect (§4.2.2).
    init(_ parameters: JSONMembers) {
        members = parameters
        secrets = ["access_token"].compactMap { parameters.text($0).map { Secret($0) } }
    }

    /// Returns the token.
    ///
    /// - Throws: `.missingToken`, or `.unknownTokenType` for any type except `Bearer`, and `N_A` in an exchange.
    func token(
        receivedAt: Date,
        isExchanged: Bool = false,
        hiding secrets: [Secret] = []
    ) throws(OAuthError) -> OAuthToken {
        guard let accessToken = members.text("access_token") else { throw .missingToken }
        let type = members.string("token_type") ?? "Bearer"
        guard type.lowercased() == "bearer" || isExchanged && OAuthToken.isNotApplicable(type) else {
            throw .unknownTokenType(type.quotable(hiding: secrets + self.secrets))
        }
        let known = ["access_token", "refresh_token", "token_type", "expires_in", "scope"]
        return OAuthToken(
            accessToken: Secret(accessToken),
            refreshToken: members.text("refresh_token").map { Secret($0) },
            type: type,
            receivedAt: receivedAt,
            expiresIn: members.seconds("expires_in"),
            scope: scope,
            extra: members.texts.filter { !known.contains($0.key) }.mapValues { Secret($0) }
        )
    }

    /// The scope, which some servers send as a list; nil if it is empty.
    private var scope: String? {
        if let text = members.string("scope") { return text }
        return members.list("scope").flatMap { $0.isEmpty ? nil : $0.joined(separator: " ") }
    }

    /// Whether the response contains an access token.
    var hasToken: Bool { members.text("access_token") != nil }

    /// Whether the response is an error in spite of its status.
    var isError: Bool { members.string("error") != nil || members.object("error") != nil && !hasToken }
}
