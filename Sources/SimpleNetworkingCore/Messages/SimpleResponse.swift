import SimpleNetworkingSupport

/// Holds a server's complete response.
///
/// Properties such as `json` parse the content each time you access them.
public struct SimpleResponse: Sendable {
    private struct Content: Sendable {
        let request: RequestHead
        let parts: Boxed<ResponseParts>
        let attempt: Int
        let acceptableStatuses: HTTPStatuses
        let decoding: ResponseDecoding
    }

    // A single reference, which keeps the errors, outcomes and events that contain a response small.
    private let content: Boxed<Content>

    /// Creates a response, for tests and for `succeed(with:)`.
    public init(
        request: RequestHead,
        httpStatus: Int = 200,
        headers: HTTPHeaders = [:],
        data: Data = Data(),
        attempt: Int = 1,
        metrics: TransferMetrics = TransferMetrics(),
        acceptableStatuses: HTTPStatuses = .successful,
        trailers: HTTPHeaders = [:]
    ) {
        var parts = ResponseParts(request: request, status: httpStatus, headers: headers, body: data, metrics: metrics)
        parts.trailers = trailers
        self.init(request: request, parts: Boxed(parts), attempt: attempt, acceptableStatuses: acceptableStatuses)
    }

    init(
        request: RequestHead,
        parts: Boxed<ResponseParts>,
        attempt: Int,
        acceptableStatuses: HTTPStatuses,
        decoding: ResponseDecoding = ResponseDecoding()
    ) {
        content = Boxed(
            Content(
                request: request,
                parts: parts,
                attempt: attempt,
                acceptableStatuses: acceptableStatuses,
                decoding: decoding
            )
        )
    }

    /// How its client decodes the content.
    var decoding: ResponseDecoding { content.value.decoding }

    var parts: ResponseParts { content.value.parts.value }
    /// Whether the content wasn't delivered to its file or reader, because of its type.
    var isRefused: Bool { parts.isRefused }

    /// Whether the content was delivered to its file or reader.
    package var isDelivered: Bool { parts.isDelivered }

    /// The request as it was sent, after redirects and with the header fields of this attempt.
    public var request: RequestHead { content.value.request }
    /// Unavailable: a `Request<T>` decodes its response, and `decode(_:)` decodes any response.
    @available(*, unavailable, message: "send a Request<T>, such as Request<User>.get(…), or call decode(_:)")
    public var value: Any { data }
    /// The status code.
    public var httpStatus: Int { parts.status }
    /// The header fields, including repeated fields.
    public var headers: HTTPHeaders { parts.headers }
    /// The decompressed content.
    public var data: Data { parts.body }
    /// The trailer fields, which follow the content, such as a checksum (RFC 9110 §6.5).
    ///
    /// Trailers aren't available with URLSession or from a cache. Over HTTP/2, they also aren't available after content
    /// with a `Content-Length`, because libcurl stops reading at the end of that content.
    public var trailers: HTTPHeaders { parts.trailers }
    /// The number of the attempt, starting at 1.
    public var attempt: Int { content.value.attempt }
    /// The times (in seconds) and sizes (in bytes) of the attempt.
    public var metrics: TransferMetrics { parts.metrics }
    /// The statuses that count as success; the default is 200...299.
    package var acceptableStatuses: HTTPStatuses { content.value.acceptableStatuses }

    /// Whether the status is one of the request's acceptable statuses.
    public var isSuccess: Bool { acceptableStatuses.contains(httpStatus) }

    /// The error for this status; nil for success.
    public var error: SimpleNetworkingError? {
        if isSuccess { return nil }
        return switch httpStatus {
        case 400...499: .clientError(self)
        case 500...599: .serverError(self)
        default: .invalidResponse(self)
        }
    }
}

/// Holds a server's response.
///
/// The transport's and the caller's response share it, so that both stay small.
struct ResponseParts: Sendable {
    /// The request as it was sent; nil until the client sets it.
    var request: RequestHead?
    var status: Int
    var headers: HTTPHeaders
    var body: Data
    var metrics: TransferMetrics
    var trailers: HTTPHeaders = [:]
    var isRedirected = false
    /// Whether the response comes from the client itself, and not from a server.
    var isLocal = false
    /// The credential of the request as it was sent, if it was signed.
    var credential: (any Sendable)?
    /// How the request has changed while it waited to be sent, until the client has seen the response.
    var change: (any Sendable)?
    /// Whether the content wasn't delivered to its file or reader, because of its type.
    var isRefused = false
    /// Whether the content was delivered to its file or reader.
    var isDelivered = false
}

extension SimpleResponse: Described, Redacted {
    /// The request, the status and the size, with secrets hidden.
    package var shownText: String { "\(request) → \(httpStatus), \(data.count) bytes" }

    package var shownMembers: KeyValuePairs<String, Any> {
        [
            "request": request, "httpStatus": httpStatus, "headers": request.shown(headers),
            "data": "\(data.count) bytes", "trailers": request.shown(trailers), "attempt": attempt, "metrics": metrics,
        ]
    }

    /// The beginning of textual content as a sentence in one line, with secrets hidden; empty if no text is found.
    ///
    /// For problem details (RFC 9457), the excerpt contains the title and the detail.
    var excerpt: String {
        let line = (problem?.words ?? textualContent)?.inOneLine(limit: 200) ?? ""
        return line.isEmpty ? "" : " The response says: “\(line)”."
    }

    private var textualContent: String? {
        let type = headers["Content-Type"].map { MediaTypeParts($0) }
        guard !data.isEmpty, type?.isText ?? (String(data: data, encoding: .utf8) != nil) else { return nil }
        let secrets = Redaction.secrets(of: request.headers) + Redaction.secrets(of: headers)
        // Secrets are hidden before the text is shortened, because a truncated secret wouldn't be found.
        return Redaction.text(ofContent: data, type: headers["Content-Type"], limit: .max) {
            request.hiding(Redaction.hiding(secrets, in: $0))
        }
    }
}

/// Holds the times and sizes of one attempt; values that the engine can't measure are nil.
public struct TransferMetrics: Sendable, Hashable {
    /// The time until the host name was resolved, in seconds.
    public var nameLookup: TimeInterval?
    /// The time until the connection was established, in seconds.
    public var connect: TimeInterval?
    /// The time until the TLS handshake was complete, in seconds.
    public var secureConnect: TimeInterval?
    /// The time until the first byte of the response arrived, in seconds.
    public var firstByte: TimeInterval?
    /// The time from the start to the end of the attempt, in seconds.
    public var total: TimeInterval
    /// The number of content bytes sent.
    public var bytesSent: Int?
    /// The number of content bytes received, before decompression.
    public var bytesReceived: Int?
    /// Whether the attempt reused the connection of an earlier request.
    public var isReusedConnection: Bool?
    /// The protocol's ALPN name, such as `http/1.1` or `h2`.
    public var protocolName: String?
    /// The server's IP address.
    public var remoteAddress: String?

    /// Creates metrics that contain only the total.
    public init(total: TimeInterval = 0) { self.total = total }
}
