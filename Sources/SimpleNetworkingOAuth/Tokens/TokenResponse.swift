/// Decodes a token response (RFC 6749 §5), tolerating common server mistakes.
struct TokenResponse: Decodable {
    /// A member's value; values of unneeded types are dropped.
    private enum Member: Decodable {
        case text(String)
        case number(Double)
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .other
            }
        }
    }

    private let members: [String: Member]

    init?(_ data: Data) {
        guard let response = try? JSONDecoder().decode(TokenResponse.self, from: data) else { return nil }
        self = response
    }

    init(from decoder: any Decoder) throws {
        members = try decoder.singleValueContainer().decode([String: Member].self)
    }

    /// Reads the parameters of a redirect (§4.2.2).
    init(_ pairs: FormURLEncoding, names: [String]) {
        members = Dictionary(uniqueKeysWithValues: names.compactMap { name in pairs[name].map { (name, .text($0)) } })
    }

    /// Returns the token.
    ///
    /// - Throws: `.missingToken`, or `.unknownTokenType` for any type except `Bearer`, and `N_A` in an exchange.
    func token(
        receivedAt: Date,
        isExchanged: Bool = false,
        hiding secrets: [Secret] = []
    ) throws(OAuthError) -> OAuthToken {
        guard let accessToken = text("access_token") else { throw .missingToken }
        let type = text("token_type") ?? "Bearer"
        guard type.lowercased() == "bearer" || isExchanged && OAuthToken.isNotApplicable(type) else {
            throw .unknownTokenType(type.quotable(hiding: secrets + tokens))
        }
        let known = ["access_token", "refresh_token", "token_type", "expires_in", "scope"]
        return OAuthToken(
            accessToken: Secret(accessToken),
            refreshToken: text("refresh_token").map { Secret($0) },
            type: type,
            receivedAt: receivedAt,
            expiresIn: seconds("expires_in"),
            scope: text("scope"),
            extra: members.filter { !known.contains($0.key) }.compactMapValues { member in
                if case .text(let text) = member { Secret(text) } else { nil }
            }
        )
    }

    /// Returns the refusal, or nil if there is none.
    func refusal(httpStatus: Int?, hiding secrets: [Secret]) -> OAuthRefusal? {
        text("error").map { code in
            OAuthRefusal(
                code: code,
                explanation: text("error_description"),
                uri: text("error_uri"),
                httpStatus: httpStatus,
                hiding: secrets + tokens
            )
        }
    }

    /// The tokens that the server's strings may repeat.
    private var tokens: [Secret] {
        ["access_token", "refresh_token", "id_token"].compactMap { text($0) }.map { Secret($0) }
    }

    private func text(_ name: String) -> String? {
        if case .text(let text) = members[name], !text.isEmpty { text } else { nil }
    }

    /// Returns a number of seconds, which some servers send as a string.
    private func seconds(_ name: String) -> TimeInterval? {
        let value: Double? =
            switch members[name] {
            case .number(let number): number
            case .text(let text): Double(text.trimmingCharacters(in: .whitespaces))
            case .other, nil: nil
            }
        // At most a century, because dates overflow.
        return value.flatMap { $0.isFinite && $0 >= 0 ? min($0, 100 * 365 * 86_400) : nil }
    }
}
