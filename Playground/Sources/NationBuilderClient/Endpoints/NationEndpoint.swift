import SimpleNetworking

/// Describes a call: what is sent, and at which key of the response's content the value is.
///
/// Those that NationBuilder has are static functions: `.people()`, `.person(5)`. For anything else there are
/// ``fetch(_:_:at:)``, ``create(_:_:at:)``, ``save(_:_:at:)`` and ``delete(_:_:at:)``.
public struct NationEndpoint<Value: Codable & Sendable>: Sendable {
    let method: HTTPMethod
    let path: String
    let query: Query
    let body: (any Encodable & Sendable)?
    let resultsKey: String?

    private init(
        _ method: HTTPMethod,
        _ path: String,
        query: Query = [:],
        body: (any Encodable & Sendable)? = nil,
        at resultsKey: String?
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.resultsKey = resultsKey
    }

    /// Gets an object.
    ///
    /// - Parameters:
    ///   - path: The path below the version, such as `/people`.
    ///   - query: Parameters. The default is none.
    ///   - key: Where the value is in the content. The default is nil: nowhere.
    /// - Returns: The call.
    public static func fetch(_ path: String, _ query: Query = [:], at key: String? = nil) -> Self {
        Self(.get, path, query: query, at: key)
    }

    /// Creates an object from what is sent; see ``fetch(_:_:at:)``.
    public static func create(_ path: String, _ body: some Encodable & Sendable, at key: String? = nil) -> Self {
        Self(.post, path, body: body, at: key)
    }

    /// Changes an object to what is sent; see ``fetch(_:_:at:)``.
    public static func save(_ path: String, _ body: some Encodable & Sendable, at key: String? = nil) -> Self {
        Self(.put, path, body: body, at: key)
    }

    /// Deletes an object; see ``fetch(_:_:at:)``.
    public static func delete(_ path: String, _ body: (any Encodable & Sendable)? = nil, at key: String? = nil) -> Self
    {
        Self(.delete, path, body: body, at: key)
    }

    /// Encodes a text as one segment of a path.
    static func segment(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.intersection(.ascii)) ?? ""
    }
}

/// The value of a response without results.
public struct NoResults: Codable, Sendable, Hashable {
    /// Ignores the content.
    public init(from decoder: any Decoder) {}

    /// Writes nothing.
    public func encode(to encoder: any Encoder) {}
}

extension CharacterSet {
    fileprivate static let ascii = CharacterSet(charactersIn: "\u{0}"..."\u{7F}")
}
