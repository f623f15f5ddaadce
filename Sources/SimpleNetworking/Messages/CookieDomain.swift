/// Tells which hosts belong to a cookie's domain (RFC 6265bis §5.1.3 and §5.7).
enum CookieDomain {
    /// Decides where a cookie goes that names a domain, or none, both in lower case.
    ///
    /// - Returns: The domain, and whether only that host gets it; nil if the host must not set such a cookie.
    static func reach(of wanted: String?, from host: String) -> (domain: String, isHostOnly: Bool)? {
        guard let wanted, !isAddress(host) else { return wanted == nil || wanted == host ? (host, true) : nil }
        let suffix = PublicSuffixes.suffix(of: host)
        if wanted == host { return (host, suffix == host) }
        // At or above the public suffix, strangers share it.
        return matches(host, wanted) && wanted.utf8.count > suffix.utf8.count ? (wanted, false) : nil
    }

    static func matches(_ host: String, _ domain: String) -> Bool {
        host == domain || (host.hasSuffix("." + domain) && !isAddress(host))
    }

    /// Whether the host is an IP address: it holds a colon, or its last label is a number.
    private static func isAddress(_ host: String) -> Bool {
        guard !host.utf8.contains(UInt8(ascii: ":")), let last = host.split(separator: ".").last else { return true }
        let isHexadecimal = last.hasPrefix("0x")
        let digits = isHexadecimal ? last.dropFirst(2) : last
        return digits.utf8.allSatisfy { (isHexadecimal ? "0123456789abcdef" : "0123456789").utf8.contains($0) }
    }
}
