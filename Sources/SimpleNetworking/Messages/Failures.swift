// The errors that `SimpleNetworkingError` carries, one per cause.

/// An error whose description is also its localized one.
protocol DescribedError: LocalizedError, Described {}

extension DescribedError {
    /// The description.
    public var errorDescription: String? { description }
}

/// Describes why there was no complete HTTP response.
public struct NetworkFailure: Error, Sendable {
    /// Names a kind of failure; more may be added.
    public struct Kind: Hashable, Sendable {
        /// The kind in words.
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        /// The host's name has no address.
        public static let cannotFindHost = Kind(rawValue: "the host was not found")
        /// The connection was refused, for example because no server listens at the port.
        public static let cannotConnect = Kind(rawValue: "the connection was refused")
        /// The connection broke before the response was complete.
        public static let connectionLost = Kind(rawValue: "the connection was lost")
        /// The device has no network.
        public static let offline = Kind(rawValue: "there is no network connection")
        /// TLS failed: the certificate is not trusted, the host name differs, there is no common version.
        public static let tls = Kind(rawValue: "no secure connection could be made")
        /// The response is not HTTP, or breaks its rules.
        public static let malformedResponse = Kind(rawValue: "the response is not valid HTTP")
        /// A file or stream to send could not be read.
        public static let unreadableBody = Kind(rawValue: "the content to send could not be read")
        /// Anything else.
        public static let other = Kind(rawValue: "the transfer failed")
    }

    /// The kind of the failure.
    public let kind: Kind
    /// The engine's own words, if any.
    public let detail: String?
    /// The engine's own error, if any.
    public let underlying: (any Error)?

    /// Makes a failure.
    public init(_ kind: Kind, detail: String? = nil, underlying: (any Error)? = nil) {
        self.kind = kind
        self.detail = detail
        self.underlying = underlying
    }

    /// The failure of a request that was sent, got no response, and must not be sent again; `words` are the engine's.
    static func withoutResponse(_ head: RequestHead, _ words: String? = nil) -> NetworkFailure {
        let detail = """
            it broke after \(head.method) was sent and before any response: the server may or may not have received it; \
            it was not sent again, since \(head.method) is not idempotent; an Idempotency-Key header field allows that\
            \(words.map { "; \($0)" } ?? "")
            """
        return NetworkFailure(.connectionLost, detail: detail)
    }
}

extension NetworkFailure: Described, Redacted {
    /// The kind and the engine's words.
    var shownText: String { kind.rawValue + (detail.map { " (\($0))" } ?? "") }

    /// The engine's own error has the whole URL.
    var shownMembers: KeyValuePairs<String, Any> {
        ["kind": kind.rawValue, "detail": detail as Any, "underlying": underlying.map { "\(type(of: $0))" } as Any]
    }
}

extension SimpleNetworkingError {
    /// Describes why a request could not be authenticated.
    public struct AuthenticationFailure: Error, Sendable {
        /// What is wrong, in words.
        public let reason: String
        /// The error of the code that makes or refreshes credentials, if any.
        public let underlying: (any Error)?
        /// The request, if it was made.
        public let request: RequestHead?
        /// The response that refused the credential, if any.
        public let response: SimpleResponse?

        /// Makes a failure.
        public init(
            reason: String,
            underlying: (any Error)? = nil,
            request: RequestHead? = nil,
            response: SimpleResponse? = nil
        ) {
            self.reason = reason
            self.underlying = underlying
            self.request = request
            self.response = response
        }

        /// A credential could not be made or refreshed.
        init(refresh error: any Error, request: RequestHead?, response: SimpleResponse?) {
            let ownReason = (error as? AuthenticationFailure)?.reason
            let reason = ownReason ?? "there is no valid credential: \(error.words)"
            self.init(reason: reason, underlying: error, request: request, response: response)
        }
    }
}

extension SimpleNetworkingError {
    /// Names the type that content could not be decoded to, and the place of the failure.
    public struct DecodingFailure: Error, Sendable, Described {
        /// The requested type.
        public let type: String
        /// The keys that lead to the failure, such as `items.0.name`; empty for the whole content.
        public let codingPath: String
        /// The number of the line, from 1, if the content came line by line; else nil.
        public let line: Int?
        /// The decoder's own error.
        public let underlying: any Error

        /// Makes a failure from a decoder's error.
        public init(type: Any.Type, underlying: any Error, line: Int? = nil) {
            self.type = "\(type)"
            self.underlying = underlying
            self.line = line
            codingPath = CodingFailure(underlying).path
        }

        /// The type, the place and the decoder's words.
        var shownText: String {
            let failure = CodingFailure(underlying)
            return type + failure.place + (line.map { " in line \($0)" } ?? "") + " (\(failure.words))"
        }
    }
}

/// Describes why a stream's content cannot be read as lines or events.
public enum StreamFailure: Error, Sendable, Hashable {
    /// A line, counted from 1, has more bytes than the limit.
    case lineTooLong(limit: Int, line: Int)
    /// The text of a server-sent event, up to this line counted from 1, has more bytes than the limit.
    case eventTooLong(limit: Int, line: Int)
    /// The content is no event stream: the response has another `Content-Type`, or none.
    case notAnEventStream(type: String?)
}

extension StreamFailure: DescribedError {
    /// What is wrong, and where, as the end of a sentence.
    var shownText: String {
        switch self {
        case .lineTooLong(let limit, let line): "line \(line) of the content has more than \(limit) bytes"
        case .eventTooLong(let limit, let line): "the event at line \(line) of the content has more than \(limit) bytes"
        case .notAnEventStream(let type):
            "the content is no event stream but has \(type.map { "the content type \($0)" } ?? "no content type")"
        }
    }
}
