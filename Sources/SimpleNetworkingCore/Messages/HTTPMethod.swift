import SimpleNetworkingSupport

/// Names the method of a request, such as `GET` (RFC 9110 §9).
///
/// Methods are case-sensitive.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, Described {
    /// The method as it is sent.
    public let rawValue: String

    /// Creates a method from any token, such as `"PROPFIND"`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a method from a literal, so that `method: "GET"` compiles.
    public init(stringLiteral value: String) { rawValue = value }

    /// Fetches a representation of the target.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Sends content for the target to process.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces the target.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes part of the target (RFC 5789).
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes the target.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Fetches only the header fields that `get` would return.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Fetches the result of processing the request's content, without changing the target (the IETF's QUERY method).
    ///
    /// The method is idempotent, so it is retried like `get`. Responses aren't cached.
    public static let query = HTTPMethod(rawValue: "QUERY")
    /// Requests the communication options that the target supports; with libcurl and the path `/*`, those of the server
    /// (RFC 9110 §9.3.7).
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// Fetches the request as its final recipient received it.
    public static let trace = HTTPMethod(rawValue: "TRACE")

    /// Whether sending a request twice has the same effect as sending it once (RFC 9110 §9.2.2).
    var isIdempotent: Bool { Self.idempotent.contains(self) }

    /// The methods that don't change the target (RFC 9110 §9.2.1).
    static let safe: [HTTPMethod] = [.get, .head, .options, .trace, .query]

    private static let idempotent: [HTTPMethod] = safe + [.put, .delete]

    /// The method as it is sent.
    package var shownText: String { rawValue }
}
