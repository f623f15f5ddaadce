import SimpleNetworkingSupport

/// Holds a request's method, URL and header fields, without its content.
public struct RequestHead: Sendable, Hashable {
    /// The HTTP method.
    public var method: HTTPMethod
    /// The absolute URL.
    public var url: URL
    /// The header fields as they are sent.
    public var headers: HTTPHeaders

    /// The secrets that the client has sent, which logs and descriptions hide; nil if no client created the head.
    package var memory: SecretMemory? {
        get { secrets.memory }
        set { secrets.memory = newValue }
    }

    private var secrets = Secrets()
    /// The URL and its text, if Foundation's `URL` can't hold that text.
    private var spelling: WrittenURL?

    /// The URL, and the text that is sent for it.
    package var written: WrittenURL {
        get { spelling.flatMap { $0.url == url ? $0 : nil } ?? WrittenURL(url) }
        set {
            url = newValue.url
            spelling = newValue.text == newValue.url.absoluteString ? nil : newValue
        }
    }

    /// The path and the query as the engine sends them in the request line (RFC 9112 §3.2.1).
    ///
    /// Sign this text rather than the parts of `url`: characters such as `[` and `|` are sent as they were written, but
    /// Foundation's `URL` encodes them.
    public var target: String {
        // A URL without these parts is not sent.
        guard let parts = try? URLParts(written.text) else { return written.text }
        return (parts.path.isEmpty ? "/" : parts.path) + (parts.query.map { "?" + $0 } ?? "")
    }

    /// Creates a head.
    public init(method: HTTPMethod = .get, url: URL, headers: HTTPHeaders = [:]) {
        self.method = method
        self.url = url
        self.headers = headers
    }

    /// Whether the request may be sent again although a server may have received it.
    ///
    /// This is true for idempotent methods (RFC 9110 §9.2.2), and for requests with an `Idempotency-Key`.
    package var isRepeatable: Bool { method.isIdempotent || headers.contains(Self.idempotencyKeyName) }

    static let idempotencyKeyName = "Idempotency-Key"
    /// The `Idempotency-Key` field, if any.
    ///
    /// A request with this field may be sent again, regardless of its method.
    var idempotencyKey: HTTPHeaders.Field? {
        headers.fields.first { $0.name.isSameFieldName(as: Self.idempotencyKeyName) }
    }

    /// Checks that the request line and the header fields can be sent as they are.
    ///
    /// A line break or a NUL in an untrusted value could inject fields or requests.
    ///
    /// - Throws: `SimpleNetworkingError.invalidRequest` or `.invalidURL`, with the reason.
    package func validate() throws(SimpleNetworkingError) {
        try validateFields()
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            throw .invalidURL(url.absoluteString, reason: "its scheme is neither http nor https")
        }
        guard let host = url.host, !host.isEmpty else {
            throw .invalidURL(url.absoluteString, reason: "it names no host")
        }
        // RFC 1035 §2.3.4.
        guard host.utf8.count <= 255 else {
            throw .invalidURL(url.absoluteString, reason: "its host is longer than 255 bytes")
        }
    }

    /// Checks everything except the URL.
    func validateFields() throws(SimpleNetworkingError) {
        guard method.rawValue.isToken else { throw .invalidRequest(reason: "its method is not a valid one", nil) }
        if method.rawValue == "CONNECT" {
            throw .invalidRequest(reason: "CONNECT asks a proxy for a tunnel, which carries no HTTP", nil)
        }
        if let reason = headers.defect { throw .invalidRequest(reason: reason, self) }
    }
}

extension RequestHead {
    /// Holds secrets without affecting equality: all instances are equal.
    private struct Secrets: Hashable, Sendable {
        var memory: SecretMemory?

        static func == (left: Secrets, right: Secrets) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }
}

extension RequestHead: Described, Redacted {
    /// The method and the URL, with secrets hidden.
    package var shownText: String { hiding("\(method) \(Redaction.text(of: url))") }

    package var shownMembers: KeyValuePairs<String, Any> {
        ["method": method.rawValue, "url": hiding(Redaction.text(of: url)), "headers": shown(headers)]
    }

    /// Returns the string with the client's secrets hidden.
    func hiding(_ text: String) -> String { memory?.hide(in: text) ?? text }

    /// Returns header fields of this exchange as strings, with secrets hidden.
    func shown(_ headers: HTTPHeaders) -> [String] { headers.fields.map { hiding($0.description) } }
}
