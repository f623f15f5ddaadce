extension AddressParts {
    /// Resolves a reference such as a `Location` against the address it was read from (RFC 3986 §5.2).
    init(resolving reference: String, against base: URL) throws(SimpleNetworkingError) {
        let reference = reference.trimmingCharacters(in: .whitespaces)
        let bytes = reference.utf8
        if bytes.contains(where: Self.isControl) { throw .unusable(reference, "it holds a control character") }
        if let end = bytes.firstIndex(where: { ":/?#".utf8.contains($0) }), bytes[end] == UInt8(ascii: ":"),
            URLJoining.isScheme(reference[..<end])
        {
            let scheme = reference[..<end]
            guard scheme.isSameFieldName(as: "http") || scheme.isSameFieldName(as: "https") else {
                throw .unsupportedScheme(scheme, in: reference)
            }
            try self.init(reference)
            path = Self.withoutDotSegments(path)
            return
        }
        try self.init(base.absoluteString)
        if reference.hasPrefix("//") {
            let scheme = origin.utf8.prefix { $0 != UInt8(ascii: ":") }
            try self.init(String(Substring(scheme)) + ":" + reference)
            path = Self.withoutDotSegments(path)
            return
        }
        let (newPath, newQuery) = Self.split(reference[...])
        if newPath.isEmpty {
            query = newQuery ?? query
            return
        }
        query = newQuery
        if newPath.utf8.first == UInt8(ascii: "/") {
            path = Self.withoutDotSegments(newPath)
        } else {
            let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? "/"
            path = Self.withoutDotSegments(folder + newPath)
        }
    }

    /// Takes `.` and `..` out of a path that starts with a slash (RFC 3986 §5.2.4).
    private static func withoutDotSegments(_ path: Substring) -> Substring {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                kept = kept.dropLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}
