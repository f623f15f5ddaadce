/// Holds an authorization server's error code and explanation (RFC 6749 §4.1.2.1 and §5.2).
public struct OAuthRefusal: Sendable, Hashable {
    /// Names an error code; servers may send others than these.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as it was sent.
        public let rawValue: String
        /// Creates a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `invalid_request`: a parameter is missing, wrong or repeated.
        public static let invalidRequest = Code(rawValue: "invalid_request")
        /// `invalid_client`: the program is unknown, or its authentication failed.
        public static let invalidClient = Code(rawValue: "invalid_client")
        /// `invalid_grant`: the code, password or refresh token is wrong, used, expired or revoked.
        public static let invalidGrant = Code(rawValue: "invalid_grant")
        /// `unauthorized_client`: the program may not use this grant.
        public static let unauthorizedClient = Code(rawValue: "unauthorized_client")
        /// `unsupported_grant_type`: the server does not support this grant.
        public static let unsupportedGrantType = Code(rawValue: "unsupported_grant_type")
        /// `unsupported_response_type`: the server does not support this response type.
        public static let unsupportedResponseType = Code(rawValue: "unsupported_response_type")
        /// `invalid_scope`: the scope is unknown, or more than was granted.
        public static let invalidScope = Code(rawValue: "invalid_scope")
        /// `access_denied`: the user denied access.
        public static let accessDenied = Code(rawValue: "access_denied")
        /// `authorization_pending`: the user has not entered the code of a device yet (RFC 8628).
        public static let authorizationPending = Code(rawValue: "authorization_pending")
        /// `slow_down`: the program asked too often whether the user has entered the code of a device (RFC 8628).
        public static let slowDown = Code(rawValue: "slow_down")
        /// `expired_token`: the code of a device has expired (RFC 8628).
        public static let expiredToken = Code(rawValue: "expired_token")
        /// `server_error`: the server failed.
        public static let serverError = Code(rawValue: "server_error")
        /// `temporarily_unavailable`: the server is overloaded or in maintenance.
        public static let temporarilyUnavailable = Code(rawValue: "temporarily_unavailable")
    }

    /// The error code.
    public let code: Code
    /// The server's explanation for developers, with the secrets of the request hidden.
    public let explanation: String?
    /// A page that explains the error, if the server named one.
    public let uri: URL?
    /// The status of the response, or nil for a redirect.
    public let httpStatus: Int?

    /// Makes a refusal, for tests.
    package init(_ code: Code, explanation: String? = nil, uri: URL? = nil, httpStatus: Int? = nil) {
        self.code = code
        self.explanation = explanation
        self.uri = uri
        self.httpStatus = httpStatus
    }

    /// Makes a refusal of a server's texts, which may repeat the secrets of the request.
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
    /// The code and the explanation.
    public var description: String {
        code.rawValue + (explanation.map { " (\($0))" } ?? "")
    }
}

extension String {
    /// A server's text made fit for a log: at most 500 characters, without control characters and secrets.
    func quotable(hiding secrets: [Secret]) -> String {
        let pieces = secrets.map { $0.reveal() }.flatMap { secret in
            let bytes = Data(secret.utf8)
            return [secret, bytes.base64EncodedString(), Base64URL.encode(bytes)]
        }
        // Before the text is cut, since a part of a secret is not found.
        let text = SecretReplacement(pieces).text(of: self)
        // Line breaks forge lines of a log; other control characters steer a terminal. A character may have any number of
        // scalars.
        let scalars = text.unicodeScalars.prefix(500).map { $0.properties.generalCategory == .control ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}
