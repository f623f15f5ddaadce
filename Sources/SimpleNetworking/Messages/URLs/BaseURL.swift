/// The base URL of a client, prepared for joining.
struct BaseURL: Sendable {
    let url: URL
    /// The URL without a slash at its end, if it has no query: all that a plain path needs.
    private let prefix: String?

    init(_ url: URL) {
        self.url = url
        let bare = try? URLParts(url.absoluteString).url()
        prefix = bare.flatMap { bare in
            guard bare.query == nil else { return nil }
            var text = bare.absoluteString
            while text.hasSuffix("/") { text.removeLast() }
            return text
        }
    }

    /// Makes the URL of a path as `URLJoining` does, which is skipped if there is nothing to encode or refuse.
    func joined(with path: String, _ query: Query) throws(SimpleNetworkingError) -> URL {
        if let prefix, query.isEmpty, Self.isPlain(path), let url = URL(string: prefix + path) { return url }
        do {
            return try URLJoining.url(base: url, path: path, query: query.encoded)
        } catch {
            throw SimpleNetworkingError(error)
        }
    }

    /// Tells whether the path begins with a slash, and has no `.` or `/` behind a slash and no byte to encode.
    private static func isPlain(_ path: String) -> Bool {
        var isBehindSlash = false
        for byte in path.utf8 {
            guard plain.contains(byte) else { return false }
            let isSlash = byte == UInt8(ascii: "/")
            if isBehindSlash, isSlash || byte == UInt8(ascii: ".") { return false }
            isBehindSlash = isSlash
        }
        return path.utf8.first == UInt8(ascii: "/")
    }

    private static let plain = PercentEncoding.unreserved.union(ByteSet("/"))
}

extension DefaultStringInterpolation {
    /// Encodes a value as one segment of a path, so that a slash or a question mark in it stays part of it.
    ///
    /// ```swift
    /// api.get("/users/\(segment: "a/b?")/notes")  // /users/a%2Fb%3F/notes
    /// ```
    ///
    /// All bytes but letters, digits, `-`, `.`, `_` and `~` are encoded (RFC 3986 §2). A path with `.` or `..` as a
    /// whole segment is refused with `.invalidURL`; an empty value leaves an empty segment.
    public mutating func appendInterpolation(segment value: some CustomStringConvertible) {
        appendLiteral(PercentEncoding.encode(value.description, keeping: PercentEncoding.unreserved))
    }
}

extension URL {
    /// Resolves a reference, such as the link to a page, against the URL it was read from.
    init(resolving reference: String, against base: URL) throws(SimpleNetworkingError) {
        do {
            self = try URLParts(resolving: reference, against: base).url()
        } catch {
            throw SimpleNetworkingError(error)
        }
    }
}

extension SimpleNetworkingError {
    /// The error for a URL that cannot be used.
    init(_ failure: UnusableURL) { self = .invalidURL(failure.text, reason: failure.reason) }
}
