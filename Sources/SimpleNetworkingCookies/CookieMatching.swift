import SimpleNetworkingFeatureSupport

/// Decides with which requests a cookie is sent (RFC 6265bis §5.8.3).
extension Cookie {
    /// Returns whether the cookie is sent with a request to a URL.
    func goes(to target: CookieTarget, now: Date) -> Bool {
        guard !hasExpired(at: now), !isSecure || target.isSecure else { return false }
        guard isHostOnly ? target.host == domain : CookieDomain.matches(target.host, domain) else { return false }
        return CookiePath.matches(target.path, path)
    }

    func hasExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Returns whether a cookie received without TLS could be mistaken for this `Secure` cookie (RFC 6265bis §5.7).
    func isProtected(from new: Cookie) -> Bool {
        isSecure && new.isUnprotected && name.utf8.elementsEqual(new.name.utf8)
            && (CookieDomain.matches(domain, new.domain) || CookieDomain.matches(new.domain, domain))
            && CookiePath.matches(new.path, path)
    }
}

/// Holds the components of a URL that determine which cookies a request carries.
struct CookieTarget {
    /// The host, in lowercase.
    let host: String
    /// Whether the URL is `https`, or leads to this computer, as browsers decide it.
    let isSecure: Bool
    /// The path, percent-encoded as it is sent; never empty.
    let path: String

    init?(_ url: URL) {
        guard let origin = Origin(url) else { return nil }
        host = origin.host
        isSecure = origin.scheme == "https" || LoopbackHost.matches(host)
        // `URL.path` decodes the path and drops a trailing slash.
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? url.path
        self.path = path.utf8.first == UInt8(ascii: "/") ? path : "/"
    }
}
