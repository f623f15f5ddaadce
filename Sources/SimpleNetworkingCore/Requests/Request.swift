import SimpleNetworkingSupport

/// Describes a request and the type that its response decodes to.
///
/// Any client can send it.
///
/// ```swift
/// let user = try await client.send(Request<User>.get("/user")).value
/// ```
///
/// `Response` is the type that the response's body is decoded to. It can be any `Decodable` type, or an optional if the
/// body may be empty. With `Data` or `String`, the value is the unchanged body. With `Void`, the body isn't decoded.
public struct Request<Response>: Sendable {
    /// The HTTP method.
    public var method: HTTPMethod
    /// A path that is joined to the client's base URL, or an absolute URL; an empty path means `/`.
    public var path: String
    /// The pairs to add to the URL's query, in order; pairs whose value is nil are omitted, also when you read them.
    ///
    /// The pairs are plain text, even if the request was created with a `Query` that is sent as written.
    public var query: [(String, String?)]? {
        get { sentQuery?.pairs.map { ($0.name, $0.value) } }
        set { sentQuery = newValue.map { Query($0) } }
    }
    /// The query, as it is sent.
    private(set) var sentQuery: Query?
    /// The body of the request.
    ///
    /// `Data` and `String` are sent unchanged. Any other value is sent as JSON; the client's encoder encodes the value
    /// when the request is sent.
    ///
    /// The `Content-Type` is JSON unless the request, the client or the session configuration sets another type.
    public var body: (any Encodable & Sendable)?
    /// The header fields, which replace the client's fields with the same names.
    public var headers: [String: String]?
    /// A name for the request, which is available to handlers and hooks as the tag `id`.
    public var id: String?

    /// The path as a URL, or nil if the path isn't a valid URL.
    public var url: URL? {
        get { URL(string: path) }
        set { path = newValue?.absoluteString ?? "" }
    }

    /// Returns a copy of the request with the given value type.
    public func withResponse<Other>(_ type: Other.Type) -> Request<Other> {
        var request = Request<Other>(path, method, nil, body, headers, id)
        request.sentQuery = sentQuery
        return request
    }

    /// Returns a copy of the request with more pairs at the end of its query.
    ///
    /// ```swift
    /// let users = Request<[User]>.get("/search").query(["q": text, "page": 2])
    /// ```
    public func query(_ pairs: Query) -> Request {
        var request = self
        request.sentQuery = (sentQuery ?? [:]) + pairs
        return request
    }
}

extension Request {
    /// The `Accept` field: JSON, or any type if the content isn't decoded.
    static var defaultAccept: String {
        let raw: [Any.Type] = [Void.self, Data.self, Data?.self, String.self, String?.self]
        return raw.contains { $0 == Response.self } ? "*/*" : MediaType.json.rawValue
    }
}

extension Request: Described, Redacted {
    /// The method and the path, with secrets hidden.
    package var shownText: String { "\(method) \(Redaction.text(ofURL: path))" }

    /// The request's properties, with only the type of the body.
    package var shownMembers: KeyValuePairs<String, Any> {
        [
            "method": method.rawValue, "path": Redaction.text(ofURL: path), "query": sentQuery ?? [:],
            "headers": HTTPHeaders(headers ?? [:]), "body": body.map { "\(type(of: $0))" } as Any, "id": id as Any,
        ]
    }
}
