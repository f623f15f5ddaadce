import SimpleNetworkingSupport

/// Describes why no complete HTTP response arrived.
public struct NetworkFailure: Error, Sendable {
    /// Identifies a kind of failure.
    ///
    /// Future versions may add more kinds.
    public struct Kind: Hashable, Sendable {
        /// The description of the kind.
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        /// The host name couldn't be resolved.
        public static let cannotFindHost = Kind(rawValue: "the host was not found")
        /// The connection was refused, for example, because no server listens on the port.
        public static let cannotConnect = Kind(rawValue: "the connection was refused")
        /// The connection broke before the response was complete.
        public static let connectionLost = Kind(rawValue: "the connection was lost")
        /// The device has no network connection.
        public static let offline = Kind(rawValue: "there is no network connection")
        /// TLS failed, for example, because the certificate is untrusted or for a different host.
        public static let tls = Kind(rawValue: "no secure connection could be made")
        /// The response isn't valid HTTP.
        public static let malformedResponse = Kind(rawValue: "the response is not valid HTTP")
        /// The file or stream that provides the content couldn't be read.
        public static let unreadableBody = Kind(rawValue: "the content to send could not be read")
        /// Any other failure.
        public static let other = Kind(rawValue: "the transfer failed")
    }

    /// The kind of the failure.
    public let kind: Kind
    /// The engine's message, if any.
    public let detail: String?
    /// The engine's error, if any.
    public let underlying: (any Error)?

    /// Creates a failure.
    public init(_ kind: Kind, detail: String? = nil, underlying: (any Error)? = nil) {
        self.kind = kind
        self.detail = detail
        self.underlying = underlying
    }

    /// Creates a failure from an error that is or contains a `NetworkFailure`; nil for other errors.
    package init?(in error: any Error) {
        switch error {
        case let failure as NetworkFailure: self = failure
        case SimpleNetworkingError.networkingError(let failure, _): self = failure
        default: return nil
        }
    }

    /// Returns the failure for a request that received no response and must not be sent again.
    ///
    /// `words` is the engine's message.
    package static func withoutResponse(_ head: RequestHead, _ words: String? = nil) -> NetworkFailure {
        let detail = """
            it broke after \(head.method) was sent and before any response: the server may or may not have received it; \
            it was not sent again, since \(head.method) is not idempotent; an Idempotency-Key header field allows that\
            \(words.map { "; \($0)" } ?? "")
            """
        return NetworkFailure(.connectionLost, detail: detail)
    }
}

extension NetworkFailure.Kind: Described {
    /// The kind in words, such as “the host was not found”.
    package var shownText: String { rawValue }
}

extension NetworkFailure: Described, Redacted {
    /// The kind and the engine's message.
    package var shownText: String { kind.rawValue + (detail.map { " (\($0))" } ?? "") }

    /// The properties, with the type of the engine's error instead of the error, which contains the whole URL.
    package var shownMembers: KeyValuePairs<String, Any> {
        ["kind": kind.rawValue, "detail": detail as Any, "underlying": underlying.map { "\(type(of: $0))" } as Any]
    }
}
