import SimpleNetworkingSupport

extension BaseURL {
    /// Returns the URL of the given request.
    func joined(with path: String, _ query: Query) throws(SimpleNetworkingError) -> WrittenURL {
        do {
            return try joined(with: path, query: query.encoded)
        } catch {
            throw SimpleNetworkingError(error, head: nil)
        }
    }
}

extension DefaultStringInterpolation {
    /// Appends a value encoded as one path segment, so that a slash or a question mark remains part of the segment.
    ///
    /// ```swift
    /// api.get("/users/\(segment: "a/b?")/notes")  // /users/a%2Fb%3F/notes
    /// ```
    ///
    /// All bytes except letters, digits, `-`, `.`, `_` and `~` are encoded (RFC 3986 §2). If `.` or `..` is
    /// a complete segment of a path, the request fails with `.invalidURL`. An empty value results in an empty segment.
    public mutating func appendInterpolation(segment value: some CustomStringConvertible) {
        appendLiteral(PercentEncoding.encode(value.description, keeping: PercentEncoding.unreserved))
    }
}
