/// Holds all that a transport needs for one attempt of a request.
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
        var report: (@Sendable (RequestEvent.Kind) -> Void)?
        var onPart: (@Sendable (ResponsePart) -> Void)?
        var number: Int?
        var clock: Boxed<any RequestClock>?
        var followsRedirects = false
        var isTransfer = false
        var isTrusted = true
        var isHedge = false
        var isRedirected = false
        var onTurn: (@Sendable () -> Void)?
    }

    // Each waiting stage keeps a copy, which is one reference this way.
    private var storage: Boxed<Values>

    /// Creates a request.
    public init(
        head: RequestHead,
        body: RequestBody = .none,
        timeout: TimeInterval = 60,
        maxResponseSize: Int = 64 << 20
    ) {
        storage = Boxed(Values(head: head, body: body, timeout: timeout, maxResponseSize: maxResponseSize))
    }

    /// Creates the request of an attempt, with what only the client sets.
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
        set { storage = storage.changed { $0.body = newValue } }
    }

    /// The seconds that the attempt may take in all.
    ///
    /// The default is 60.
    public var timeout: TimeInterval {
        get { storage.value.timeout }
        set { storage = storage.changed { $0.timeout = newValue } }
    }

    /// The limit for the response's content in bytes, decompressed.
    ///
    /// The default is 64 MiB.
    public var maxResponseSize: Int {
        get { storage.value.maxResponseSize }
        set { storage = storage.changed { $0.maxResponseSize = newValue } }
    }

    /// The seconds that connecting may take; nil, the default, leaves it to the transport.
    public var connectTimeout: TimeInterval? {
        get { storage.value.connectTimeout }
        set { storage = storage.changed { $0.connectTimeout = newValue } }
    }

    /// The idle timeout in seconds; nil, the default, leaves it to the transport.
    public var idleTimeout: TimeInterval? {
        get { storage.value.idleTimeout }
        set { storage = storage.changed { $0.idleTimeout = newValue } }
    }

    /// Where the content of a success goes; by default to memory.
    public var sink: ResponseSink {
        get { storage.value.sink }
        set { storage = storage.changed { $0.sink = newValue } }
    }

    /// The number that identifies the request to the client's event monitors: `ObservedRequest.number`.
    ///
    /// With it, middleware that is a monitor as well, such as one for tracing, can tell which request it handles. Nil
    /// for requests that are not observed, and in what no client made.
    public internal(set) var number: Int? {
        get { storage.value.number }
        set { storage = storage.changed { $0.number = newValue } }
    }

    /// The client's clock, for a stub's delays; nil for the system's.
    package var clock: (any RequestClock)? { storage.value.clock?.value }
    /// The client's clock, the system's too.
    var clientClock: any RequestClock { clock ?? SystemClock() }

    /// Whether it changes nothing at the server, has no content, and gets a response that memory holds.
    var isRead: Bool { (head.method == .get || head.method == .head) && body.isNone && sink.isMemory }

    /// Whether a redirect's content is of no use.
    var followsRedirects: Bool {
        get { storage.value.followsRedirects }
        set { storage = storage.changed { $0.followsRedirects = newValue } }
    }

    /// Whether content of any size is sent or received, by a file or a stream.
    var isTransfer: Bool { storage.value.isTransfer }

    /// Whether the URL's origin may receive credentials, among them a client certificate.
    ///
    /// The client says so for a transport that asks; whoever sends by hand has chosen the URL.
    var isTrusted: Bool {
        get { storage.value.isTrusted }
        set { storage = storage.changed { $0.isTrusted = newValue } }
    }

    /// Whether it is sent beside an equal one that has had no response for a while.
    var isHedge: Bool {
        get { storage.value.isHedge }
        set { storage = storage.changed { $0.isHedge = newValue } }
    }

    /// Whether a redirect has led to it: then something was sent for it already.
    var isRedirected: Bool {
        get { storage.value.isRedirected }
        set { storage = storage.changed { $0.isRedirected = newValue } }
    }

    /// Called when the request has waited for its turn, and is sent.
    var onTurn: (@Sendable () -> Void)? {
        get { storage.value.onTurn }
        set { storage = storage.changed { $0.onTurn = newValue } }
    }

    /// What an authenticator added; tells the cache the account.
    var signature: Boxed<Signature>? {
        get { storage.value.signature }
        set { storage = storage.changed { $0.signature = newValue } }
    }

    /// Called in the task that sends, when the transport sends the request again by itself or receives an interim
    /// response.
    package var report: (@Sendable (RequestEvent.Kind) -> Void)? {
        get { storage.value.report }
        set { storage = storage.changed { $0.report = newValue } }
    }

    /// Reads a body that is made piece by piece, as a server does; any other request stays the same.
    package func collectingChunks() async throws -> TransportRequest {
        guard case .chunks(_, let chunks) = body else { return self }
        var content = Data()
        for try await chunk in chunks { content += chunk }
        var request = self
        request.body = .data(content)
        return request
    }

    /// Called with each part of a success that goes to a stream or a file, so that a cassette can record it.
    package var onPart: (@Sendable (ResponsePart) -> Void)? {
        get { storage.value.onPart }
        set { storage = storage.changed { $0.onPart = newValue } }
    }

    /// Called in the task that sends, as content is transferred.
    ///
    /// Slow progress handlers skip intermediate values; the last value of a transfer is complete. The default is nil.
    public var progress: (@Sendable (TransferProgress) -> Void)? {
        get { storage.value.progress }
        set { storage = storage.changed { $0.progress = newValue } }
    }

    /// The method.
    public var method: HTTPMethod {
        get { storage.value.head.method }
        set { storage = storage.changed { $0.head.method = newValue } }
    }

    /// The URL, always absolute.
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

extension TransportRequest: Described, Redacted {
    /// The method and the URL, with secrets hidden.
    var shownText: String { head.description }

    var shownMembers: KeyValuePairs<String, Any> {
        [
            "head": head, "body": body, "timeout": timeout, "maxResponseSize": maxResponseSize,
            "connectTimeout": connectTimeout as Any, "idleTimeout": idleTimeout as Any, "sink": sink,
        ]
    }
}

/// The account in whose name an authenticator authorized a request.
struct Signature: Sendable {
    /// A stable account ID, which outlives tokens.
    let account: String
    /// The header fields that authorize it.
    let fields: [HTTPHeaders.Field]

    /// The names of those fields that are still as the authenticator set them: changed ones prove nothing.
    func proofs(in headers: HTTPHeaders) -> [String] {
        fields.filter { headers.values(for: $0.name) == [$0.value] }.map(\.name)
    }
}
