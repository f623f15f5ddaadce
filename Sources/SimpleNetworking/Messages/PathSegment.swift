extension DefaultStringInterpolation {
    /// Encodes a value as one segment of a path, so that a slash or a question mark in it changes nothing else.
    ///
    /// ```swift
    /// api.get("/users/\(segment: "a/b?")/notes")  // /users/a%2Fb%3F/notes
    /// ```
    ///
    /// All bytes but letters, digits, `-`, `.`, `_` and `~` are encoded (RFC 3986 §2). A path that holds `.` or `..` as a
    /// whole segment is refused with `.invalidURL`; an empty value leaves an empty segment.
    public mutating func appendInterpolation(segment value: some CustomStringConvertible) {
        appendLiteral(PercentEncoding.encode(value.description, keeping: PercentEncoding.unreserved))
    }
}
