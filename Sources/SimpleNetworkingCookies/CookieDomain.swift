import SimpleNetworkingFeatureSupport

/// Decides which hosts belong to a cookie's domain (RFC 6265bis §5.1.3 and §5.7).
enum CookieDomain {
    /// Decides the domain of a cookie from its optional `Domain` attribute and the host, both in lowercase.
    ///
    /// - Returns: The domain, and whether only that host receives the cookie; nil if the host must not set it.
    static func scope(of wanted: String?, from host: String) -> (domain: String, isHostOnly: Bool)? {
        guard let wanted, !isAddress(host) else { return wanted == nil || wanted == host ? (host, true) : nil }
        let suffix = PublicSuffixes.suffix(of: host)
        if wanted == host { return (host, suffix == host) }
        // Unrelated sites share a public suffix and the domains above it.
        return matches(host, wanted) && wanted.utf8.count > suffix.utf8.count ? (wanted, false) : nil
    }

    /// Returns whether a host equals a domain or is a subdomain of it.
    static func matches(_ host: String, _ domain: String) -> Bool {
        host == domain || (host.hasSuffix("." + domain) && !isAddress(host))
    }

    /// Returns whether the host is an IP address: it contains a colon, or its last label is a number.
    private static func isAddress(_ host: String) -> Bool {
        guard !host.utf8.contains(UInt8(ascii: ":")), let last = host.pieces(between: ".").last else { return true }
        let isHexadecimal = last.hasPrefix("0x")
        let digits = isHexadecimal ? last.dropFirst(2) : last
        return String(digits).isMade(of: isHexadecimal ? "0123456789abcdef" : .digits)
    }
}

/// Decides which paths belong to a cookie's path (RFC 6265bis §5.1.4); both begin with a slash.
enum CookiePath {
    /// Returns the path up to its last slash, which is the default path of cookies.
    static func folder(of path: String) -> String {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    /// Returns whether a path equals a cookie's path or is below it.
    static func matches(_ path: String, _ folder: String) -> Bool {
        guard path.utf8.starts(with: folder.utf8) else { return false }
        let slash = UInt8(ascii: "/")
        return folder.utf8.last == slash || [nil, slash].contains(path.utf8.dropFirst(folder.utf8.count).first)
    }
}
