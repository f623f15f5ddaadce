import SimpleNetworkingSupport

/// An authorization server's error code and explanation (RFC 6749 §4.1.2.1 and §5.2).
public struct OAuthRefusal: Sendable, Hashable {
    /// An OAuth error code.
    ///
    /// Servers may also send codes that aren't predefined.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code, as the server sent it.
        public let rawValue: String
        /// Creates an error code from its raw value.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `invalid_request`: a parameter is missing, invalid or repeated.
        public static let invalidRequest = Code(rawValue: "invalid_request")
        /// `invalid_client`: the program is unknown, or its authentication failed.
        public static let invalidClient = Code(rawValue: "invalid_client")
        /// `invalid_grant`: the code, password or refresh token is invalid, used, expired or revoked.
        public static let invalidGrant = Code(rawValue: "invalid_grant")
        /// `unauthorized_client`: the program isn't allowed to use this grant.
        public static let unauthorizedClient = Code(rawValue: "unauthorized_client")
        /// `unsupported_grant_type`: the server does not support this grant.
        public static let unsupportedGrantType = Code(rawValue: "unsupported_grant_type")
        /// `unsupported_response_type`: the server does not support this response type.
        public static let unsupportedResponseType = Code(rawValue: "unsupported_response_type")
        /// `invalid_scope`: the scope is unknown or exceeds the granted scope.
        public static let invalidScope = Code(rawValue: "invalid_scope")
        /// `access_denied`: the user denied access.
        public static let accessDenied = Code(rawValue: "access_denied")
        /// `authorization_pending`: the user has not yet entered the device's code (RFC 8628).
        public static let authorizationPending = Code(rawValue: "authorization_pending")
        /// `slow_down`: the program polled too often while it waited for the user (RFC 8628).
        public static let slowDown = Code(rawValue: "slow_down")
        /// `expired_token`: the device's code has expired (RFC 8628).
        public static let expiredToken = Code(rawValue: "expired_token")
        /// `server_error`: the server encountered an unexpected condition.
        public static let serverError = Code(rawValue: "server_error")
        /// `temporarily_unavailable`: the server is overloaded or under maintenance.
        public static let temporarilyUnavailable = Code(rawValue: "temporarily_unavailable")
    }

    /// The error code.
    ///
    /// If the server sent no code, its explanation stands here. A code that is a number, or is sent under another name,
    /// such as `error_code` or `__type`, is also read.
    public let code: Code
    /// The server's explanation for developers, with the secrets of the request hidden.
    public let explanation: String?
    /// The URL of a page that explains the error, if the server provided one.
    public let uri: URL?
    /// The HTTP status of the response, or nil if the refusal was in a redirect.
    public let httpStatus: Int?
    /// Whether the refresh token is no longer valid.
    private(set) var endsSession: Bool

    /// Creates a refusal, for tests.
    package init(_ code: Code, explanation: String? = nil, uri: URL? = nil, httpStatus: Int? = nil) {
        self.code = code
        self.explanation = explanation
        self.uri = uri
        self.httpStatus = httpStatus
        endsSession = Self.endsSession(code: code.rawValue, explanation: explanation)
    }

    /// Creates a refusal from a server's strings, which may repeat the secrets of the request.
    ///
    /// `codes` are the configuration's codes for an invalid refresh token.
    init(
        code: String,
        explanation: String?,
        uri: String?,
        httpStatus: Int?,
        endingSessionFor codes: Set<Code> = [],
        hiding secrets: [Secret]
    ) {
        self.init(
            Code(rawValue: code.quotable(hiding: secrets)),
            explanation: explanation?.quotable(hiding: secrets),
            uri: (uri?.quotable(hiding: secrets)).flatMap { URL(string: $0) },
            httpStatus: httpStatus
        )
        endsSession = Self.endsSession(code: code, explanation: explanation, further: codes)
    }
}

extension OAuthRefusal: CustomStringConvertible {
    /// The error code, followed by the explanation, if any, in parentheses.
    public var description: String {
        code.rawValue + (explanation.map { " (\($0))" } ?? "")
    }
}
