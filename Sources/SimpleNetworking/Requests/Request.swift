/// Describes a request and the type of its response's value; any client can send it.
///
/// ```swift
/// let user = try await client.send(Request<User>.get("/user")).value
/// ```
///
/// `Response` is what the body is decoded to: any `Decodable` type, `Data` or `String` for the body unchanged, an
/// optional where the body may be empty, or `Void`.
public struct Request<Response>: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// A path below the client's base URL, `/` if it is empty, or an absolute URL.
    public var path: String
    /// Pairs to add to the URL, in order; pairs without a value are omitted.
    public var query: [(String, String?)]?
    /// The body: `Data` and `String` are sent unchanged, any other value as JSON.
    ///
    /// The client's encoder encodes it when the request is sent.
    ///
    /// Its `Content-Type` is JSON unless the request, the client or the session configuration sets another.
    public var body: (any Encodable & Sendable)?
    /// Header fields, which replace the client's.
    public var headers: [String: String]?
    /// A name for the request, available to handlers and hooks as the tag `id`.
    public var id: String?

    /// The path as a URL; nil if `URL` refuses it.
    public var url: URL? {
        get { URL(string: path) }
        set { path = newValue?.absoluteString ?? "" }
    }

    /// Returns a copy of the request with another type of value.
    public func withResponse<Other>(_ type: Other.Type) -> Request<Other> {
        Request<Other>(path, method, query, body, headers, id)
    }
}

extension Request: Described, Redacted {
    /// The method and the path, with secrets hidden.
    var shownText: String { "\(method) \(Redaction.text(ofURL: path))" }

    /// Of the body only the type.
    var shownMembers: KeyValuePairs<String, Any> {
        [
            "method": method.rawValue, "path": Redaction.text(ofURL: path), "query": Query(query ?? []),
            "headers": HTTPHeaders(headers ?? [:]), "body": body.map { "\(type(of: $0))" } as Any, "id": id as Any,
        ]
    }
}
