/// The parts of an absolute `http` or `https` URL without its fragment, as unencoded text.
package struct URLParts {
    /// The scheme and the authority, such as `https://example.com:8080`.
    package var origin: Substring
    package var path: Substring
    package var query: Substring?
    /// Whether a server wrote the path or the query, so that its own characters are kept.
    private var isReference = false

    /// Splits a URL, and rejects URLs that are not safe to send to.
    package init(_ text: String) throws(UnusableURL) {
        guard case (let scheme, let rest?) = text.parts(at: ":"), rest.utf8.starts(with: "//".utf8) else {
            throw UnusableURL(text, "it has no scheme, such as https://")
        }
        try Self.checkScheme(String(scheme), in: text)
        let authority = Substring(rest.utf8.dropFirst(2)).parts(at: "/?#").before
        if authority.firstIndex(ofAny: "@") != nil {
            throw UnusableURL(text, "it holds user information; use authenticate(with:password:) instead")
        }
        guard let first = authority.utf8.first, first != UInt8(ascii: ":") else {
            throw UnusableURL(text, "it has no host")
        }
        origin = text[..<authority.endIndex]
        (path, query) = Self.split(text[authority.endIndex...])
        try Self.checkControls(in: text)
    }

    /// Resolves a reference, such as a `Location`, against the URL of its response (RFC 3986 §5.2).
    package init(resolving reference: String, against base: URL) throws(UnusableURL) {
        try self.init(resolving: reference, against: base.absoluteString)
    }

    /// Resolves a reference against a URL as it was sent.
    package init(resolving reference: String, against base: String) throws(UnusableURL) {
        try self.init(base, joinedWith: reference)
        isReference = true
    }

    private init(_ base: String, joinedWith reference: String) throws(UnusableURL) {
        let reference = reference[...].trimmed
        try Self.checkControls(in: reference)
        let (scheme, afterColon) = reference.parts(at: ":")
        if afterColon != nil, URLJoining.isScheme(scheme) {
            try Self.checkScheme(String(scheme), in: reference)
            try self.init(reference)
            path = Self.withoutDotSegments(path)
            return
        }
        try self.init(base)
        if reference.hasPrefix("//") {
            try self.init(origin.parts(at: ":").before + ":" + reference)
            path = Self.withoutDotSegments(path)
            return
        }
        let (newPath, newQuery) = Self.split(reference[...])
        if newPath.isEmpty {
            query = newQuery ?? query
            return
        }
        query = newQuery
        let isAbsolute = newPath.utf8.first == UInt8(ascii: "/")
        let folder = path.lastIndex(ofAny: "/").map { path[...$0] } ?? "/"
        path = Self.withoutDotSegments(isAbsolute ? newPath : folder + newPath)
    }

    /// Splits the text after the authority into path and query, and drops the fragment.
    package static func split(_ text: Substring) -> (path: Substring, query: Substring?) {
        let (path, query) = text.parts(at: "#").before.parts(at: "?")
        return (path, query)
    }

    /// Creates the URL.
    package func url() throws(UnusableURL) -> URL { try written().url }

    /// Creates the URL: encodes only what must be encoded to be sent, and adds encoded pairs to the query.
    package func written(adding pairs: String = "") throws(UnusableURL) -> WrittenURL {
        let keptInPath = isReference ? PercentEncoding.visible : PercentEncoding.sentPath
        let keptInQuery = isReference ? PercentEncoding.visible : PercentEncoding.sentQuery
        let path = PercentEncoding.encode(String(path), keeping: keptInPath)
        var query = query.map { PercentEncoding.encode(String($0), keeping: keptInQuery) }
        if !pairs.isEmpty { query = (query.map { $0.isEmpty ? "" : $0 + "&" } ?? "") + pairs }
        return try WrittenURL(origin: String(origin), path: path, query: query)
    }

    package static func checkControls(in text: String) throws(UnusableURL) {
        if text.contains(anyOf: controls) { throw UnusableURL(text, "it holds a control character") }
    }

    private static let controls = ByteSet.controls

    private static func checkScheme(_ scheme: String, in text: String) throws(UnusableURL) {
        guard scheme.isSameFieldName(as: "https") || scheme.isSameFieldName(as: "http") else {
            throw UnusableURL(text, "its scheme “\(scheme)” is not supported, only http and https are")
        }
    }

    /// Removes `.` and `..` from a path that starts with a slash (RFC 3986 §5.2.4).
    private static func withoutDotSegments(_ path: Substring) -> Substring {
        guard path.firstIndex(ofAny: ".") != nil else { return path }
        var kept: [Substring] = []
        let segments = path.pieces(between: "/", keepsEmpty: true).dropFirst()
        for segment in segments {
            if segment == ".." { _ = kept.popLast() }
            if segment != ".", segment != ".." { kept.append(segment) }
        }
        if segments.last == "." || segments.last == ".." { kept.append("") }
        return "/" + kept.joined(separator: "/")
    }
}

/// Describes why a URL can't be used; its text contains no secrets.
package struct UnusableURL: Error {
    package let text: String
    package let reason: String

    package init(_ text: String, _ reason: String) {
        self.text = Redaction.text(ofURL: text)
        self.reason = reason
    }
}
