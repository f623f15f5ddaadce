/// Joins a base address, a path and a query, so that a path can never leave the base's host.
enum URLJoining {
    /// Gives the address of a request.
    ///
    /// A path is always appended to the base's path, with one slash between; an absolute `http` or `https` address
    /// is used instead of the base. Queries are added up: the base's, the path's, then the pairs.
    static func url(base: URL, path: String, query: Query = Query()) throws(SimpleNetworkingError) -> URL {
        if isAbsolute(path) { return try AddressParts(path).url(adding: query) }
        if path.utf8.contains(where: AddressParts.isControl) {
            throw .unusable(path, "it holds a control character")
        }
        var parts = try AddressParts(base.absoluteString)
        let (added, addedQuery) = AddressParts.split(path[...])
        if hasDotSegment(added) {
            throw .unusable(path, "“.” and “..” are not allowed in a path, since they would leave the base address")
        }
        if !added.isEmpty {
            let start = added.utf8.drop { $0 == UInt8(ascii: "/") }.startIndex
            let end = parts.path.utf8.lastIndex { $0 != UInt8(ascii: "/") }.map { parts.path.utf8.index(after: $0) }
            parts.path = parts.path[..<(end ?? parts.path.startIndex)] + "/" + added[start...]
        }
        parts.query = joined(parts.query, addedQuery)
        return try parts.url(adding: query)
    }

    /// Tells whether there is a scheme before `://`: `users:search` is a path.
    static func isAbsolute(_ path: String) -> Bool {
        guard let end = path.utf8.firstIndex(where: { !schemeBytes.contains($0) }), end != path.startIndex else {
            return false
        }
        return path.utf8[end...].starts(with: "://".utf8)
    }

    /// Tells whether this is a scheme: a letter, then letters, digits and some signs (RFC 3986 §3.1).
    static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20) else {
            return false
        }
        return text.utf8.allSatisfy(schemeBytes.contains)
    }

    private static let schemeBytes = ByteSet.lettersAndDigits.union(ByteSet("+-."))

    /// Looks for `.` and `..` between slashes, in plain or encoded spelling.
    private static func hasDotSegment(_ path: Substring) -> Bool {
        path.utf8.split(separator: UInt8(ascii: "/")).contains { segment in
            guard segment.count <= "%2e%2e".utf8.count,
                segment.first == UInt8(ascii: ".") || segment.first == UInt8(ascii: "%")
            else { return false }
            let plain = Substring(segment).lowercased().replacingOccurrences(of: "%2e", with: ".")
            return plain == "." || plain == ".."
        }
    }

    private static func joined(_ first: Substring?, _ second: Substring?) -> Substring? {
        guard let first, !first.isEmpty else { return second ?? first }
        guard let second, !second.isEmpty else { return first }
        return first + "&" + second
    }
}
