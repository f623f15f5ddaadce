/// Holds all that a transport needs to send one request once.
public struct TransportRequest: Sendable {
    private struct Values: Sendable {
        var head: RequestHead
        var body: RequestBody
        var timeout: TimeInterval
        var maxResponseSize: Int
        var connectTimeout: TimeInterval?
        var idleTimeout: TimeInterval?
        var sink = ResponseSink.memory
        var progress: (@Sendable (TransferProgress) -> Void)?
    }

    // Each stage that waits keeps a copy: this way that is one reference, and the frames of a waiting request stay small.
    private final class Storage: Sendable {
        let values: Values

        init(_ values: Values) { self.values = values }
    }

    private var storage: Storage

    private var values: Values {
        get { storage.values }
        set { storage = Storage(newValue) }
    }

    /// Makes a request.
    public init(
        head: RequestHead,
        body: RequestBody = .none,
        timeout: TimeInterval = 60,
        maxResponseSize: Int = 64 << 20
    ) {
        storage = Storage(Values(head: head, body: body, timeout: timeout, maxResponseSize: maxResponseSize))
    }

    /// Method, address and header fields.
    public var head: RequestHead {
        get { storage.values.head }
        set { values.head = newValue }
    }

    /// The content to send.
    public var body: RequestBody {
        get { storage.values.body }
        set { values.body = newValue }
    }

    /// Seconds that one attempt may take in all.
    ///
    /// The default is 60.
    public var timeout: TimeInterval {
        get { storage.values.timeout }
        set { values.timeout = newValue }
    }

    /// Bytes that the answer's content may have, decompressed.
    ///
    /// The default is 64 MiB.
    public var maxResponseSize: Int {
        get { storage.values.maxResponseSize }
        set { values.maxResponseSize = newValue }
    }

    /// Seconds that connecting may take; nil leaves it to the transport.
    ///
    /// The default is nil.
    public var connectTimeout: TimeInterval? {
        get { storage.values.connectTimeout }
        set { values.connectTimeout = newValue }
    }

    /// Seconds without a byte moving that end the attempt; nil leaves it to the transport.
    ///
    /// The default is nil.
    public var idleTimeout: TimeInterval? {
        get { storage.values.idleTimeout }
        set { values.idleTimeout = newValue }
    }

    /// Where the content of a successful answer goes.
    ///
    /// The default is memory.
    public var sink: ResponseSink {
        get { storage.values.sink }
        set { values.sink = newValue }
    }

    /// Called in the task that sends, as content moves.
    ///
    /// The default is nil.
    public var progress: (@Sendable (TransferProgress) -> Void)? {
        get { storage.values.progress }
        set { values.progress = newValue }
    }

    /// The method.
    public var method: HTTPMethod {
        get { storage.values.head.method }
        set { values.head.method = newValue }
    }

    /// The address, always absolute.
    public var url: URL {
        get { storage.values.head.url }
        set { values.head.url = newValue }
    }

    /// The header fields.
    public var headers: HTTPHeaders {
        get { storage.values.head.headers }
        set { values.head.headers = newValue }
    }
}
