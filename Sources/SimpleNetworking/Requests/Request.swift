/// Describes a request and the type of its answer's content: a value, to be sent by any client.
///
/// ```swift
/// let user = try await client.send(Request<User>.get("/user")).value
/// ```
///
/// `Response` is what the content is decoded to: any `Decodable` type, `Data` or `String` for the content as it is, an
/// optional for content that may be missing, or `Void` for none.
public struct Request<Response>: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// A path below the client's base URL, or an absolute address.
    ///
    /// An empty path is `/`.
    public var path: String
    /// Pairs to add to the address, in order; those without a value are left out.
    public var query: [(String, String?)]?
    /// The content: `Data` and `String` as they are, anything else as JSON, encoded with the client's encoder when it is sent.
    ///
    /// Its `Content-Type` is JSON unless the request, the client or the session configuration names another.
    public var body: (any Encodable & Sendable)?
    /// Header fields, over the client's.
    public var headers: [String: String]?
    /// A name for the request, to be found in its handlers and hooks as the tag `id`.
    public var id: String?

    /// Makes a request for a path below the client's base URL, or for an absolute address.
    public init(
        path: String,
        method: HTTPMethod = .get,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) {
        self.init(path, method, query, body, headers, id)
    }

    /// Makes a request for an address, absolute or relative to the client's base URL.
    public init(
        url: URL,
        method: HTTPMethod = .get,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) {
        self.init(url.absoluteString, method, query, body, headers, id)
    }

    init(
        _ path: String,
        _ method: HTTPMethod,
        _ query: [(String, String?)]?,
        _ body: (any Encodable & Sendable)?,
        _ headers: [String: String]?,
        _ id: String?
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.headers = headers
        self.id = id
    }

    /// The path or address, if it is one that `URL` can hold.
    public var url: URL? {
        get { URL(string: path) }
        set { path = newValue?.absoluteString ?? "" }
    }

    /// Makes the same request for content of another type.
    public func withResponse<Other>(_ type: Other.Type) -> Request<Other> {
        Request<Other>(path, method, query, body, headers, id)
    }
}

extension Request: CustomStringConvertible, CustomReflectable {
    /// The method and the path, with secrets hidden.
    public var description: String { "\(method) \(Redaction.text(ofURL: path))" }

    /// Shows what it says to `dump` and debuggers, with secrets hidden; of the content the type.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "method": method.rawValue, "path": Redaction.text(ofURL: path), "query": Query(query ?? []),
            "headers": HTTPHeaders(headers ?? [:]), "body": body.map { "\(type(of: $0))" } as Any, "id": id as Any,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
