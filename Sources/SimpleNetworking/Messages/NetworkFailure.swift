/// Tells why no complete HTTP answer came.
public struct NetworkFailure: Error, Sendable {
    /// Names a kind of failure; more may be added.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The kind in words.
        public let rawValue: String
        /// Makes a kind.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The host's name has no address.
        public static let cannotFindHost = Kind(rawValue: "the host was not found")
        /// No connection came about, for example since nothing listens at the port.
        public static let cannotConnect = Kind(rawValue: "the connection was refused")
        /// The connection broke before the answer was complete.
        public static let connectionLost = Kind(rawValue: "the connection was lost")
        /// The device has no network.
        public static let offline = Kind(rawValue: "there is no network connection")
        /// TLS failed: the certificate is not trusted, the host name differs, no common version, or the like.
        public static let tls = Kind(rawValue: "no secure connection could be made")
        /// What came back is not HTTP, or breaks its rules.
        public static let malformedResponse = Kind(rawValue: "the answer is not valid HTTP")
        /// A file or stream to send could not be read.
        public static let unreadableBody = Kind(rawValue: "the content to send could not be read")
        /// Anything else.
        public static let other = Kind(rawValue: "the transfer failed")
    }

    /// The kind of the failure.
    public let kind: Kind
    /// The engine's own words, if it has any.
    public let detail: String?
    /// The engine's own error, if there is one.
    public let underlying: (any Error)?

    /// Makes a failure.
    public init(_ kind: Kind, detail: String? = nil, underlying: (any Error)? = nil) {
        self.kind = kind
        self.detail = detail
        self.underlying = underlying
    }
}

extension NetworkFailure: CustomStringConvertible {
    /// The kind and the engine's words.
    public var description: String { kind.rawValue + (detail.map { " (\($0))" } ?? "") }
}
