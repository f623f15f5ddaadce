/// The base URL of a client, prepared for joining.
package struct BaseURL: Sendable {
    package let url: URL
    /// The URL without a trailing slash, if it has no query; all that a plain path needs.
    private let prefix: String?

    package init(_ url: URL) {
        self.url = url
        let bare = try? URLParts(url.absoluteString).url()
        prefix = bare.flatMap { bare in
            guard bare.query == nil else { return nil }
            var text = bare.absoluteString
            while text.hasSuffix("/") { text.removeLast() }
            return text
        }
    }

    /// Creates the URL as `URLJoining` does, which is skipped if nothing must be encoded or rejected.
    package func joined(with path: String, query: String) throws(UnusableURL) -> WrittenURL {
        if let prefix, query.isEmpty, Self.isPlain(path), let url = URL(string: prefix + path) {
            return WrittenURL(url)
        }
        return try URLJoining.url(base: url, path: path, query: query)
    }

    /// Returns whether the path begins with a slash, without a `.` or `/` after a slash or bytes to encode.
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
