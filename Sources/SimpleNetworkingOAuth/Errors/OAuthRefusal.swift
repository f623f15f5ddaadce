/// Holds an authorization server's refusal in its own words (RFC 6749 §4.1.2.1 and §5.2).
public struct OAuthRefusal: Sendable, Hashable {
    /// Names a reason; servers have more of them than the ones named here.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The reason as it was sent.
        public let rawValue: String
        /// Makes a reason.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `invalid_request`: a parameter is missing, wrong or doubled.
        public static let invalidRequest = Code(rawValue: "invalid_request")
        /// `invalid_client`: the program is not known, or did not prove who it is.
        public static let invalidClient = Code(rawValue: "invalid_client")
        /// `invalid_grant`: the code, the password or the refresh token is wrong, used, expired or revoked.
        public static let invalidGrant = Code(rawValue: "invalid_grant")
        /// `unauthorized_client`: the program may not use this grant.
        public static let unauthorizedClient = Code(rawValue: "unauthorized_client")
        /// `unsupported_grant_type`: the server does not know this grant.
        public static let unsupportedGrantType = Code(rawValue: "unsupported_grant_type")
        /// `unsupported_response_type`: the server does not give that at its authorization endpoint.
        public static let unsupportedResponseType = Code(rawValue: "unsupported_response_type")
        /// `invalid_scope`: the scope is not known, or more than was granted.
        public static let invalidScope = Code(rawValue: "invalid_scope")
        /// `access_denied`: the user said no.
        public static let accessDenied = Code(rawValue: "access_denied")
        /// `server_error`: the server failed.
        public static let serverError = Code(rawValue: "server_error")
        /// `temporarily_unavailable`: the server is overloaded or under repair.
        public static let temporarilyUnavailable = Code(rawValue: "temporarily_unavailable")
    }

    /// The reason.
    public let code: Code
    /// The server's explanation for developers, without the secrets it was sent, if it gave one.
    public let explanation: String?
    /// A page that explains the reason, if the server named one.
    public let uri: URL?
    /// The status of the answer, or nil for a redirect.
    public let httpStatus: Int?

    /// Makes a refusal, for tests.
    public init(_ code: Code, explanation: String? = nil, uri: URL? = nil, httpStatus: Int? = nil) {
        self.code = code
        self.explanation = explanation
        self.uri = uri
        self.httpStatus = httpStatus
    }

    /// Makes a refusal of what a server said, which is not to be trusted with what it was told.
    init(code: String, explanation: String?, uri: String?, httpStatus: Int?, hiding secrets: [Secret]) {
        self.init(
            Code(rawValue: code.quotable(hiding: secrets)),
            explanation: explanation?.quotable(hiding: secrets),
            uri: (uri?.quotable(hiding: secrets)).flatMap { URL(string: $0) },
            httpStatus: httpStatus
        )
    }
}

extension OAuthRefusal: CustomStringConvertible {
    /// The reason and the explanation.
    public var description: String {
        code.rawValue + (explanation.map { " (\($0))" } ?? "")
    }
}
