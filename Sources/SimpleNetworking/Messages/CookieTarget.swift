/// What cookies look at in a URL.
struct CookieTarget {
    /// The host in lower case.
    let host: String
    /// Whether nobody on the way can read or change what is sent.
    let isSecure: Bool
    /// The path, percent-encoded as it is sent; never empty.
    let path: String

    init?(_ url: URL) {
        guard let origin = Origin(url) else { return nil }
        host = origin.host
        isSecure = origin.scheme == "https"
        // `URL.path` decodes, and drops a slash at the end.
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? url.path
        self.path = path.utf8.first == UInt8(ascii: "/") ? path : "/"
    }

    /// The path up to its last slash, which is where cookies without a path belong (RFC 6265bis §5.1.4).
    var folder: String {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    /// Tells whether a path is a cookie's, or below it (RFC 6265bis §5.1.4).
    static func matches(_ path: String, _ folder: String) -> Bool {
        guard path.utf8.starts(with: folder.utf8) else { return false }
        let slash = UInt8(ascii: "/")
        return folder.utf8.last == slash || [nil, slash].contains(path.utf8.dropFirst(folder.utf8.count).first)
    }
}
