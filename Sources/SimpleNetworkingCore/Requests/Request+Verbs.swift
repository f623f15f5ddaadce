import SimpleNetworkingSupport

extension Request {
    /// Creates a request for a path that is joined to the client's base URL, or for an absolute URL.
    public init(
        path: String,
        method: HTTPMethod = .get,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) { self.init(path, method, query, body, headers, id) }

    /// Creates a request for a URL that is either absolute or relative to the client's base URL.
    public init(
        url: URL,
        method: HTTPMethod = .get,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) { self.init(url.absoluteString, method, query, body, headers, id) }

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

    /// Creates a GET request, which fetches a representation of the target resource.
    public static func get(
        _ path: String,
        query: [(String, String?)]? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request { Request(path, .get, query, nil, headers, id) }
    /// Creates a GET request whose query is a dictionary literal, such as `["page": 2]`, or a `Query`.
    ///
    /// To pass a dictionary in a variable, write `Query(values)`. For the other methods, use `query(_:)`.
    @_disfavoredOverload  // Otherwise, the compiler would check each list of pairs twice.
    public static func get(
        _ path: String,
        query: Query,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request { Request(path, .get, nil, nil, headers, id).query(query) }
    /// Creates a HEAD request, which fetches only the header fields.
    public static func head(
        _ path: String,
        query: [(String, String?)]? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request { Request(path, .head, query, nil, headers, id) }
    /// Creates an OPTIONS request, which asks for the options that the target resource supports.
    public static func options(
        _ path: String,
        query: [(String, String?)]? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request { Request(path, .options, query, nil, headers, id) }
    /// Creates a POST request, which sends content for the target resource to process.
    public static func post(
        _ path: String,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request { Request(path, .post, query, body, headers, id) }
    /// Creates a PUT request, which replaces the target resource.
    public static func put(
        _ path: String,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request { Request(path, .put, query, body, headers, id) }
    /// Creates a PATCH request, which changes part of the target resource.
    public static func patch(
        _ path: String,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request { Request(path, .patch, query, body, headers, id) }
    /// Creates a DELETE request, which removes the target resource.
    public static func delete(
        _ path: String,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request { Request(path, .delete, query, body, headers, id) }
}

// `Request.get("/x")` has no value type to infer: these members make it a `Request<Void>`.
extension Request where Response == Void {
    /// Creates a request that doesn't decode its response.
    ///
    /// The path is either joined to the client's base URL or an absolute URL.
    public init(
        path: String,
        method: HTTPMethod = .get,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) { self.init(path, method, query, body, headers, id) }

    /// Creates a request that doesn't decode its response.
    ///
    /// The URL is either absolute or relative to the client's base URL.
    public init(
        url: URL,
        method: HTTPMethod = .get,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) { self.init(url.absoluteString, method, query, body, headers, id) }

    /// Creates a GET request that doesn't decode its response.
    public static func get(
        _ path: String,
        query: [(String, String?)]? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request { Request(path, .get, query, nil, headers, id) }
    /// Creates a GET request whose query is a dictionary literal or a `Query`, and that doesn't decode its response.
    @_disfavoredOverload
    public static func get(
        _ path: String,
        query: Query,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request { Request(path, .get, nil, nil, headers, id).query(query) }
    /// Creates a HEAD request that doesn't decode its response.
    public static func head(
        _ path: String,
        query: [(String, String?)]? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request { Request(path, .head, query, nil, headers, id) }
    /// Creates an OPTIONS request that doesn't decode its response.
    public static func options(
        _ path: String,
        query: [(String, String?)]? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request { Request(path, .options, query, nil, headers, id) }
    /// Creates a POST request that doesn't decode its response.
    public static func post(
        _ path: String,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request { Request(path, .post, query, body, headers, id) }
    /// Creates a PUT request that doesn't decode its response.
    public static func put(
        _ path: String,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request { Request(path, .put, query, body, headers, id) }
    /// Creates a PATCH request that doesn't decode its response.
    public static func patch(
        _ path: String,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request { Request(path, .patch, query, body, headers, id) }
    /// Creates a DELETE request that doesn't decode its response.
    public static func delete(
        _ path: String,
        query: [(String, String?)]? = nil,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String]? = nil,
        id: String? = nil
    ) -> Request { Request(path, .delete, query, body, headers, id) }
}
