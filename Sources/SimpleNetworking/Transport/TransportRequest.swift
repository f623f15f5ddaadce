/// Holds all that a transport needs to send one request once.
public struct TransportRequest: Sendable {
    /// Method, address and header fields.
    public var head: RequestHead
    /// The content to send.
    public var body: RequestBody
    /// Seconds that one attempt may take in all.
    ///
    /// The default is 60.
    public var timeout: TimeInterval
    /// Bytes that the answer's content may have, decompressed.
    ///
    /// The default is 64 MiB.
    public var maxResponseSize: Int
    /// Seconds that connecting may take; nil leaves it to the transport.
    ///
    /// The default is nil.
    public var connectTimeout: TimeInterval?
    /// Seconds without a byte moving that end the attempt; nil leaves it to the transport.
    ///
    /// The default is nil.
    public var idleTimeout: TimeInterval?
    /// Where the content of a successful answer goes.
    ///
    /// The default is memory.
    public var sink: ResponseSink = .memory
    /// What an authenticator has put on it, for a cache to know whose it is; nil where there is neither.
    var signature: Boxed<Signature>?
    /// Called in the task that sends, as content moves.
    ///
    /// The default is nil.
    public var progress: (@Sendable (TransferProgress) -> Void)?

    /// Makes a request.
    public init(
        head: RequestHead,
        body: RequestBody = .none,
        timeout: TimeInterval = 60,
        maxResponseSize: Int = 64 << 20
    ) {
        self.head = head
        self.body = body
        self.timeout = timeout
        self.maxResponseSize = maxResponseSize
    }

    /// The method.
    public var method: HTTPMethod {
        get { head.method }
        set { head.method = newValue }
    }

    /// The address, always absolute.
    public var url: URL {
        get { head.url }
        set { head.url = newValue }
    }

    /// The header fields.
    public var headers: HTTPHeaders {
        get { head.headers }
        _modify { yield &head.headers }
    }
}
