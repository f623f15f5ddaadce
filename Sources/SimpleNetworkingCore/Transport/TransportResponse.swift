import SimpleNetworkingSupport

/// Holds a complete HTTP response as a transport received it.
public struct TransportResponse: Sendable {
    private(set) var parts: Boxed<ResponseParts>

    /// Creates a response.
    public init(
        httpStatus: Int,
        headers: HTTPHeaders = [:],
        data: Data = Data(),
        metrics: TransferMetrics = TransferMetrics()
    ) {
        self.init(ResponseParts(status: httpStatus, headers: headers, body: data, metrics: metrics))
    }

    init(_ parts: ResponseParts) { self.parts = Boxed(parts) }

    init(_ response: SimpleResponse) { self.init(response.parts) }

    /// The status code of the final response, not of an interim response (1xx).
    public var httpStatus: Int {
        get { parts.value.status }
        set { parts = parts.changed { $0.status = newValue } }
    }

    /// The header fields, including repeated fields.
    public var headers: HTTPHeaders {
        get { parts.value.headers }
        set { parts = parts.changed { $0.headers = newValue } }
    }

    /// The trailer fields, which follow the content, such as a checksum (RFC 9110 §6.5).
    ///
    /// URLSession discards trailer fields.
    public var trailers: HTTPHeaders {
        get { parts.value.trailers }
        set { parts = parts.changed { $0.trailers = newValue } }
    }

    /// The decompressed content.
    public var data: Data {
        get { parts.value.body }
        set { parts = parts.changed { $0.body = newValue } }
    }

    /// The timings and sizes of the transfer.
    public var metrics: TransferMetrics {
        get { parts.value.metrics }
        set { parts = parts.changed { $0.metrics = newValue } }
    }

    /// The request as it was sent.
    ///
    /// After redirects, this is the last request.
    ///
    /// The client sets this property for middleware. A transport may leave it nil.
    public var request: RequestHead? {
        get { parts.value.request }
        set { parts = parts.changed { $0.request = newValue } }
    }

    /// Whether the response follows a redirect.
    var isRedirected: Bool {
        get { parts.value.isRedirected }
        set { parts = parts.changed { $0.isRedirected = newValue } }
    }

    /// Whether the response comes from the client itself, and not from a server.
    package var isLocal: Bool {
        get { parts.value.isLocal }
        set { parts = parts.changed { $0.isLocal = newValue } }
    }

    /// How its request has changed while it waited to be sent; nil if it hasn't.
    var change: Boxed<RequestChange>? {
        get { parts.value.change as? Boxed<RequestChange> }
        set { if newValue != nil || parts.value.change != nil { parts = parts.changed { $0.change = newValue } } }
    }

    /// The credential with which its request was signed.
    var credential: (any Sendable)? { parts.value.credential }

    /// Notes how its request was signed.
    mutating func note(_ sent: TransportRequest) {
        guard sent.credential != nil else { return }
        parts = parts.changed { $0.credential = sent.credential }
    }

    /// Whether the content wasn't delivered to its file or reader, because of its type.
    package var isRefused: Bool {
        get { parts.value.isRefused }
        set { parts = parts.changed { $0.isRefused = newValue } }
    }

    /// Whether the content was delivered to its file or reader.
    package var isDelivered: Bool {
        get { parts.value.isDelivered }
        set { parts = parts.changed { $0.isDelivered = newValue } }
    }
}

extension TransportResponse {
    /// Whether the status is successful (200...299) and the content is delivered to the request's destination.
    var isSuccess: Bool { (200...299).contains(httpStatus) && !isRefused }

    /// Rejects content over a limit.
    func check(_ limit: Int, of request: TransportRequest) throws {
        guard data.count > limit else { return }
        request.onFailedHead?(httpStatus, headers)
        throw SimpleNetworkingError.tooLarge(limit: limit, request.head)
    }
}

extension TransportResponse: Redacted {
    package var shownMembers: KeyValuePairs<String, Any> {
        [
            "httpStatus": httpStatus, "headers": request?.shown(headers) ?? headers as Any,
            "data": "\(data.count) bytes", "trailers": request?.shown(trailers) ?? trailers as Any, "metrics": metrics,
            "request": request as Any,
        ]
    }
}
