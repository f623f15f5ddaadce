/// Describes a request and the type that its response decodes to.
///
/// Any client can send it.
///
/// ```swift
/// let user = try await client.send(Request<User>.get("/user")).value
/// ```
///
/// `Response` is the type that the body is decoded to: any `Decodable` type, `Data` or `String` for the unchanged
/// body, an optional if the body may be empty, or `Void`.
public struct Request<Response>: Sendable {
    /// The HTTP method.
    public var method: HTTPMethod
    /// A path below the client's base URL, or an absolute URL; an empty path means `/`.
    public var path: String
    /// The pairs to add to the URL's query, in order; pairs whose value is nil are omitted.
    public var query: [(String, String?)]?
    /// The body: `Data` and `String` are sent unchanged, any other value as JSON.
    ///
    /// The client's encoder encodes the body when the request is sent.
    ///
    /// The `Content-Type` is JSON unless the request, the client or the session configuration sets another.
    public var body: (any Encodable & Sendable)?
    /// The header fields, which replace the client's.
    public var headers: [String: String]?
    /// A name for the request, available to handlers and hooks as the tag `id`.
    public var id: String?

    /// The path as a URL, or nil if it isn't a valid URL.
    public var url: URL? {
        get { URL(string: path) }
        set { path = newValue?.absoluteString ?? "" }
    }

    /// Returns a copy of the request with a different value type.
    public func withResponse<Other>(_ type: Other.Type) -> Request<Other> {
        Request<Other>(path, method, query, body, headers, id)
    }
}

extension Request: Described, Redacted {
    /// The method and the path, with secrets hidden.
    var shownText: String { "\(method) \(Redaction.text(ofURL: path))" }

    /// The request's properties, with only the type of the body.
    var shownMembers: KeyValuePairs<String, Any> {
        [
            "method": method.rawValue, "path": Redaction.text(ofURL: path), "query": Query(query ?? []),
            "headers": HTTPHeaders(headers ?? [:]), "body": body.map { "\(type(of: $0))" } as Any, "id": id as Any,
        ]
    }
}
