import SimpleNetworkingSupport

/// Holds everything that a transport needs for one attempt of a request.
public struct TransportRequest: Sendable {
    struct Values: Sendable {
        var head: RequestHead
        var body: RequestBody
        var bodyVersion: BodyVersion?
        var timeout: TimeInterval
        var maxResponseSize: Int
        var connectTimeout: TimeInterval?
        var idleTimeout: TimeInterval?
        var headTimeout: TimeInterval?
        var sink = ResponseSink.memory
        var options = Options()
        var progress: (@Sendable (TransferProgress) -> Void)?
        var signature: Boxed<Signature>?
        var report: (@Sendable (RequestEvent.Kind) -> Void)?
        var onPart: (@Sendable (ResponsePart) -> Void)?
        var number: Int?
        var clock: Boxed<any RequestClock>?
        var followsRedirects = false
        var isTransfer = false
        var suspension: Suspension?
        var taskPriority: Float?
        var isTrusted = true
        var isDuplicate = false
        var isRedirected = false
        var isUntrusted = false
        var shared: (any SharedSending)?
        var onActivity: (@Sendable () -> Void)?
        var onFailedHead: (@Sendable (Int, HTTPHeaders) -> Void)?
        var onDeparture: (@Sendable (SentRequest) -> Void)?
        var defaults: HTTPHeaders?
        var preparation: (any Sendable)?
        var credential: (any Sendable)?
        var original: RequestHead?
        var scheduler: Scheduler?
    }

    // Each waiting stage keeps a copy; boxed values make it a single reference.
    var storage: Boxed<Values>

    /// Creates a request.
    public init(
        head: RequestHead,
        body: RequestBody = .none,
        timeout: TimeInterval = 60,
        maxResponseSize: Int = 64 << 20
    ) {
        storage = Boxed(Values(head: head, body: body, timeout: timeout, maxResponseSize: maxResponseSize))
    }

    /// Creates the request for an attempt, with the values that only the client sets.
    init(
        head: RequestHead,
        body: RequestBody,
        timeout: TimeInterval,
        maxResponseSize: Int,
        number: Int?,
        clock: Boxed<any RequestClock>?,
        followsRedirects: Bool,
        isTransfer: Bool,
        report: (@Sendable (RequestEvent.Kind) -> Void)?
    ) {
        var values = Values(head: head, body: body, timeout: timeout, maxResponseSize: maxResponseSize)
        values.number = number
        values.followsRedirects = followsRedirects
        values.isTransfer = isTransfer
        values.report = report
        values.clock = clock
        storage = Boxed(values)
    }

    /// The method, URL and header fields.
    public var head: RequestHead {
        get { storage.value.head }
        set { storage = storage.changed { $0.head = newValue } }
    }

    /// The body to send.
    public var body: RequestBody {
        get { storage.value.body }
        set {
            storage = storage.changed { values in
                values.body = newValue
                values.bodyVersion = BodyVersion()
            }
        }
    }

    /// The time limit for the whole attempt, in seconds.
    ///
    /// The default is 60.
    public var timeout: TimeInterval {
        get { storage.value.timeout }
        set { storage = storage.changed { $0.timeout = newValue } }
    }

    /// The maximum size of the response's decompressed content, in bytes.
    ///
    /// The default is 64 MiB.
    public var maxResponseSize: Int {
        get { storage.value.maxResponseSize }
        set { storage = storage.changed { $0.maxResponseSize = newValue } }
    }

    /// The connect timeout in seconds.
    ///
    /// If nil (the default), the transport determines the timeout.
    public var connectTimeout: TimeInterval? {
        get { storage.value.connectTimeout }
        set { storage = storage.changed { $0.connectTimeout = newValue } }
    }

    /// The idle timeout in seconds; if nil (the default), the transport determines the timeout.
    public var idleTimeout: TimeInterval? {
        get { storage.value.idleTimeout }
        set { storage = storage.changed { $0.idleTimeout = newValue } }
    }

    /// The idle timeout in seconds until the response's head arrives, which the client enforces; nil for no limit.
    var headTimeout: TimeInterval? {
        get { storage.value.headTimeout }
        set { storage = storage.changed { $0.headTimeout = newValue } }
    }

    /// The destination of a successful response's content.
    ///
    /// The default is `.memory`.
    public var sink: ResponseSink {
        get { storage.value.sink }
        set { storage = storage.changed { $0.sink = newValue } }
    }

    /// The number that identifies the request to the client's event monitors: `ObservedRequest.number`.
    ///
    /// Middleware that is also a monitor (for example, for tracing) can use this number to identify the request that it
    /// handles. The number is nil for requests that aren't observed or that weren't created by a client.
    public internal(set) var number: Int? {
        get { storage.value.number }
        set { storage = storage.changed { $0.number = newValue } }
    }

    /// The client's clock, for a stub's delays; nil for the system clock.
    package var clock: (any RequestClock)? { storage.value.clock?.value }
    /// The client's clock, including the system clock.
    package var clientClock: any RequestClock { clock ?? SystemClock() }

    /// Whether the client follows redirects, so that the content of a redirect is discarded.
    package var followsRedirects: Bool {
        get { storage.value.followsRedirects }
        set { storage = storage.changed { $0.followsRedirects = newValue } }
    }

    /// Whether the request sends or receives content of any size, in a file or a stream.
    package var isTransfer: Bool { storage.value.isTransfer }

    /// What holds back the transfer while the request is suspended.
    ///
    /// An engine observes the suspension if it can hold back the content that it sends.
    package var suspension: Suspension? {
        get { storage.value.suspension }
        set { storage = storage.changed { $0.suspension = newValue } }
    }

    /// The priority of a URLSession task, from 0 to 1; nil for the default.
    package var taskPriority: Float? {
        get { storage.value.taskPriority }
        set { storage = storage.changed { $0.taskPriority = newValue } }
    }

    /// A closure that is called when the transport resends the request or receives an interim response.
    ///
    /// It is called in the task that sends the request.
    package var report: (@Sendable (RequestEvent.Kind) -> Void)? {
        get { storage.value.report }
        set { storage = storage.changed { $0.report = newValue } }
    }

    /// A closure that is called with each part of a successful response that is delivered to a stream or a file.
    ///
    /// A cassette that isn't at the network uses this closure to record the response.
    package var onPart: (@Sendable (ResponsePart) -> Void)? {
        get { storage.value.onPart }
        set { storage = storage.changed { $0.onPart = newValue } }
    }

    /// A closure that is called as content is transferred, in the task that sends the request.
    ///
    /// Slow closures may miss intermediate values, but always receive the final value. The default is nil.
    public var progress: (@Sendable (TransferProgress) -> Void)? {
        get { storage.value.progress }
        set { storage = storage.changed { $0.progress = newValue } }
    }

    /// The method.
    public var method: HTTPMethod {
        get { storage.value.head.method }
        set { storage = storage.changed { $0.head.method = newValue } }
    }

    /// The URL, which is always absolute.
    public var url: URL {
        get { storage.value.head.url }
        set { storage = storage.changed { $0.head.url = newValue } }
    }

    /// The header fields.
    public var headers: HTTPHeaders {
        get { storage.value.head.headers }
        set { storage = storage.changed { $0.head.headers = newValue } }
    }
}
