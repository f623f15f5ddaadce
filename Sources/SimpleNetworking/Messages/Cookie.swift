/// A cookie as a server set it (RFC 6265).
public struct Cookie: Sendable, Hashable {
    /// The name; compared with its case.
    public let name: String
    /// The value as it was set.
    public let value: String
    /// The host that set it, or the domain it was set for, in lower case.
    public let domain: String
    /// Whether it goes to just that host, and not to hosts below it.
    public let isHostOnly: Bool
    /// The path that it goes to, and below.
    public let path: String
    /// When it ends; nil for the jar's lifetime.
    public let expires: Date?
    /// Whether it goes over https only.
    public let isSecure: Bool

    /// Reads one `Set-Cookie` value, as RFC 6265 §5.2 and §5.3 say; nil if it is not to be kept.
    ///
    /// - Parameters:
    ///   - text: The value of the field.
    ///   - url: The address that was answered.
    ///   - now: The time, for `Max-Age`.
    public init?(setCookie text: String, from url: URL, now: Date = Date()) {
        guard let origin = Origin(url), text.utf8.count <= 4096 else { return nil }
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = parts.first?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false),
            pair.count == 2
        else { return nil }
        name = pair[0].trimmed
        value = pair[1].trimmed
        let attributes = CookieAttributes(parts.dropFirst(), now: now)
        guard !name.isEmpty, !(name + value).unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else { return nil }

        if let wanted = attributes.domain, wanted != origin.host {
            guard CookieDomain.matches(origin.host, wanted), !CookieDomain.isPublicSuffix(wanted) else { return nil }
            domain = wanted
            isHostOnly = false
        } else {
            domain = origin.host
            isHostOnly = attributes.domain == nil || CookieDomain.isAddress(origin.host)
        }
        path = attributes.path ?? Self.defaultPath(of: url)
        expires = attributes.expires
        isSecure = attributes.isSecure

        // A page without TLS must not set what only TLS may read, nor pass for it (RFC 6265bis §5.7).
        if isSecure, origin.scheme != "https" { return nil }
        if name.hasPrefix("__Secure-"), !isSecure { return nil }
        if name.hasPrefix("__Host-"), !isSecure || !isHostOnly || path != "/" { return nil }
    }

    /// Tells whether it goes with a request to an address.
    public func goes(to url: URL, now: Date = Date()) -> Bool {
        guard let origin = Origin(url), !isSecure || origin.scheme == "https" else { return false }
        if let expires, expires <= now { return false }
        guard isHostOnly ? origin.host == domain : CookieDomain.matches(origin.host, domain) else { return false }
        let target = url.path.isEmpty ? "/" : url.path
        guard target.hasPrefix(path) else { return false }
        return target == path || path.hasSuffix("/") || target.dropFirst(path.count).first == "/"
    }

    /// Tells whether both are one cookie with two values.
    func isSame(as other: Cookie) -> Bool { name == other.name && domain == other.domain && path == other.path }

    /// The folder of the address (RFC 6265 §5.1.4).
    private static func defaultPath(of url: URL) -> String {
        guard url.path.hasPrefix("/"), let slash = url.path.lastIndex(of: "/"), slash != url.path.startIndex else {
            return "/"
        }
        return String(url.path[..<slash])
    }
}

extension Cookie: CustomStringConvertible {
    /// The name and the domain; the value is a secret.
    public var description: String { "\(name)=\(Redaction.mark) for \(domain)\(path)" }
}

extension Substring {
    var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
