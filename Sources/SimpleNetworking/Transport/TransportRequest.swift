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
        var signature: Boxed<Signature>?
        var onResend: (@Sendable (ResendReason) -> Void)?
    }

    // Each stage that waits keeps a copy: this way that is one reference, and the frames of a waiting request stay small.
    private var storage: Boxed<Values>

    private var values: Values {
        get { storage.value }
        set { storage = Boxed(newValue) }
    }

    /// Makes a request.
    public init(
        head: RequestHead,
        body: RequestBody = .none,
        timeout: TimeInterval = 60,
        maxResponseSize: Int = 64 << 20
    ) {
        storage = Boxed(Values(head: head, body: body, timeout: timeout, maxResponseSize: maxResponseSize))
    }

    /// Method, address and header fields.
    public var head: RequestHead {
        get { storage.value.head }
        set { values.head = newValue }
    }

    /// The content to send.
    public var body: RequestBody {
        get { storage.value.body }
        set { values.body = newValue }
    }

    /// Seconds that one attempt may take in all.
    ///
    /// The default is 60.
    public var timeout: TimeInterval {
        get { storage.value.timeout }
        set { values.timeout = newValue }
    }

    /// Bytes that the answer's content may have, decompressed.
    ///
    /// The default is 64 MiB.
    public var maxResponseSize: Int {
        get { storage.value.maxResponseSize }
        set { values.maxResponseSize = newValue }
    }

    /// Seconds that connecting may take; nil leaves it to the transport.
    ///
    /// The default is nil.
    public var connectTimeout: TimeInterval? {
        get { storage.value.connectTimeout }
        set { values.connectTimeout = newValue }
    }

    /// Seconds without a byte moving that end the attempt; nil leaves it to the transport.
    ///
    /// The default is nil.
    public var idleTimeout: TimeInterval? {
        get { storage.value.idleTimeout }
        set { values.idleTimeout = newValue }
    }

    /// Where the content of a successful answer goes.
    ///
    /// The default is memory.
    public var sink: ResponseSink {
        get { storage.value.sink }
        set { values.sink = newValue }
    }

    /// What an authenticator has put on it, for a cache to know whose it is; nil where there is neither.
    var signature: Boxed<Signature>? {
        get { storage.value.signature }
        set { values.signature = newValue }
    }

    /// Called in the task that sends, each time the transport sends the request again by itself; nil where nobody listens.
    var onResend: (@Sendable (ResendReason) -> Void)? {
        get { storage.value.onResend }
        set { values.onResend = newValue }
    }

    /// Called in the task that sends, as content moves.
    ///
    /// What is new while it runs comes as one value, the newest, and the last one before the end of a transfer is
    /// complete. The default is nil.
    public var progress: (@Sendable (TransferProgress) -> Void)? {
        get { storage.value.progress }
        set { values.progress = newValue }
    }

    /// The method.
    public var method: HTTPMethod {
        get { storage.value.head.method }
        set { values.head.method = newValue }
    }

    /// The address, always absolute.
    public var url: URL {
        get { storage.value.head.url }
        set { values.head.url = newValue }
    }

    /// The header fields.
    public var headers: HTTPHeaders {
        get { storage.value.head.headers }
        set { values.head.headers = newValue }
    }
}

extension TransportRequest: CustomStringConvertible, CustomReflectable {
    /// The method and the address, with secrets hidden.
    public var description: String { head.description }

    /// Shows the head, the size of the content and the limits to `dump` and debuggers, with secrets hidden.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "head": head, "body": body, "timeout": timeout, "maxResponseSize": maxResponseSize,
            "connectTimeout": connectTimeout as Any, "idleTimeout": idleTimeout as Any, "sink": sink,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
