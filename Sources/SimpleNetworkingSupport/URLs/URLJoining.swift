/// Joins a base URL, a path and a query, so that a path can never leave the base's host.
package enum URLJoining {
    /// Creates the URL of a request.
    ///
    /// A path is always appended to the base's path, separated by one slash; an absolute `http` or `https` URL is used
    /// instead of the base. Queries are joined in this order: the base's, the path's, and the pairs.
    package static func url(base: URL, path: String, query: String = "") throws(UnusableURL) -> WrittenURL {
        if isAbsolute(path) { return try URLParts(path).written(adding: query) }
        try URLParts.checkControls(in: path)
        var parts = try URLParts(base.absoluteString)
        let (added, addedQuery) = URLParts.split(path[...])
        if hasDotSegment(added) {
            throw UnusableURL(path, "“.” and “..” are not allowed in a path, since they would leave the base URL")
        }
        if !added.isEmpty {
            let start = added.utf8.drop { $0 == UInt8(ascii: "/") }.startIndex
            let end = parts.path.utf8.lastIndex { $0 != UInt8(ascii: "/") }.map { parts.path.utf8.index(after: $0) }
            parts.path = parts.path[..<(end ?? parts.path.startIndex)] + "/" + added[start...]
        }
        switch (parts.query, addedQuery) {
        case (let query?, let added?) where !query.isEmpty && !added.isEmpty: parts.query = query + "&" + added
        case (nil, let added?), (""?, let added?): parts.query = added
        default: break
        }
        return try parts.written(adding: query)
    }

    /// Returns whether there is a scheme before `://`: `users:search` is a path.
    package static func isAbsolute(_ path: String) -> Bool {
        guard let end = path.utf8.firstIndex(where: { !schemeBytes.contains($0) }), end != path.startIndex else {
            return false
        }
        return path.utf8[end...].starts(with: "://".utf8)
    }

    /// Returns whether this is a scheme: a letter, then letters, digits and some signs (RFC 3986 §3.1).
    package static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20) else {
            return false
        }
        return String(text).isMade(of: schemeBytes)
    }

    private static let schemeBytes = ByteSet.lettersAndDigits.union(ByteSet("+-."))

    /// Returns whether there is a `.` or `..` segment between slashes, plain or encoded.
    private static func hasDotSegment(_ path: Substring) -> Bool {
        path.pieces(between: "/").contains { segment in
            let first = segment.utf8.first
            guard segment.utf8.count <= "%2e%2e".utf8.count, first == UInt8(ascii: ".") || first == UInt8(ascii: "%")
            else { return false }
            let plain = segment.lowercased().replacingAll("%2e", with: ".")
            return plain == "." || plain == ".."
        }
    }
}

extension URL {
    /// The URL with its scheme in lowercase, because FoundationNetworking doesn't support `HTTP://`.
    package var withLowercasedScheme: URL {
        guard let scheme, scheme != scheme.lowercased() else { return self }
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        components?.scheme = scheme.lowercased()
        return components?.url ?? self
    }
}
