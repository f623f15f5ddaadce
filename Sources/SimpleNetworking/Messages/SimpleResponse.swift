/// Holds a server's complete response.
///
/// Content is parsed on access.
public struct SimpleResponse: Sendable {
    private struct Content: Sendable {
        let request: RequestHead
        let parts: Boxed<ResponseParts>
        let attempt: Int
        let acceptableStatuses: HTTPStatuses
    }

    // Errors, outcomes and events carry it: one reference keeps them all small.
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

    init(request: RequestHead, parts: Boxed<ResponseParts>, attempt: Int, acceptableStatuses: HTTPStatuses) {
        content = Boxed(
            Content(request: request, parts: parts, attempt: attempt, acceptableStatuses: acceptableStatuses)
        )
    }

    private var parts: ResponseParts { content.value.parts.value }

    /// The request as it was sent: after redirects, and with the header fields of this attempt.
    public var request: RequestHead { content.value.request }
    /// The status code.
    public var httpStatus: Int { parts.status }
    /// The header fields, repeated ones included.
    public var headers: HTTPHeaders { parts.headers }
    /// The content, decompressed.
    public var data: Data { parts.body }
    /// The fields that came after the content, such as a checksum (RFC 9110 §6.5).
    ///
    /// Trailers aren't available over URLSession, from a cache, or over HTTP/2 after content with a `Content-Length`,
    /// where libcurl reads no further.
    public var trailers: HTTPHeaders { parts.trailers }
    /// The number of the attempt, from 1.
    public var attempt: Int { content.value.attempt }
    /// The attempt's times, in seconds, and sizes.
    public var metrics: TransferMetrics { parts.metrics }
    /// The statuses that count as success, by default 200...299.
    var acceptableStatuses: HTTPStatuses { content.value.acceptableStatuses }

    /// Tells whether the status is acceptable.
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

    /// The response as Foundation's type, without content.
    public var httpResponse: HTTPURLResponse? {
        HTTPURLResponse(
            url: request.url,
            statusCode: httpStatus,
            httpVersion: "HTTP/1.1",
            headerFields: headers.dictionary
        )
    }
}

/// What a server sent: shared by the transport's response and by the user's, so that both are small.
struct ResponseParts: Sendable {
    /// The request as it was sent; nil until the client sets it.
    var request: RequestHead?
    var status: Int
    var headers: HTTPHeaders
    var body: Data
    var metrics: TransferMetrics
    var trailers: HTTPHeaders = [:]
}

extension SimpleResponse: Described, Redacted {
    /// The request, the status and the size, with secrets hidden.
    var shownText: String { "\(request) → \(httpStatus), \(data.count) bytes" }

    var shownMembers: KeyValuePairs<String, Any> {
        [
            "request": request, "httpStatus": httpStatus, "headers": request.shown(headers),
            "data": "\(data.count) bytes", "trailers": request.shown(trailers), "attempt": attempt, "metrics": metrics,
        ]
    }

    /// A sentence with the beginning of textual content, in one line, secrets hidden; empty if there is none.
    ///
    /// Of a problem (RFC 9457), these are its title and its detail.
    var excerpt: String {
        let line = (problem?.words ?? textualContent)?.inOneLine(limit: 200) ?? ""
        return line.isEmpty ? "" : " The response says: “\(line)”."
    }

    private var textualContent: String? {
        let type = headers["Content-Type"].map { MediaTypeParts($0) }
        guard !data.isEmpty, type?.isText ?? (String(data: data, encoding: .utf8) != nil) else { return nil }
        let secrets = Redaction.secrets(of: request.headers) + Redaction.secrets(of: headers)
        // Before the words are joined and cut: what is left of a secret would not be found.
        return Redaction.text(ofContent: data, type: headers["Content-Type"], limit: .max) {
            request.hiding(Redaction.hiding(secrets, in: $0))
        }
    }
}

/// Holds the times and sizes of one attempt; what the engine cannot measure is nil.
public struct TransferMetrics: Sendable, Hashable {
    /// Seconds until the host's name was resolved.
    public var nameLookup: TimeInterval?
    /// Seconds until the connection was open.
    public var connect: TimeInterval?
    /// Seconds until the TLS handshake was done.
    public var secureConnect: TimeInterval?
    /// Seconds until the first byte of the response.
    public var firstByte: TimeInterval?
    /// Seconds from the start of the attempt to its end.
    public var total: TimeInterval
    /// Bytes of content sent.
    public var bytesSent: Int?
    /// Bytes of content received, before decompression.
    public var bytesReceived: Int?
    /// Whether a connection of an earlier request was used.
    public var isReusedConnection: Bool?
    /// The protocol's ALPN name: `http/1.1`, `h2`.
    public var protocolName: String?
    /// The server's IP address.
    public var remoteAddress: String?

    /// Makes metrics of which only the total is known.
    public init(total: TimeInterval = 0) { self.total = total }
}
