/// Holds a cookie as a server set it (RFC 6265bis).
public struct Cookie: Sendable, Hashable {
    /// The name, case-sensitive; empty for a cookie that has only a value.
    public let name: String
    /// The value as it was set.
    public let value: String
    /// The host that set it, or the domain it was set for, in lower case.
    public let domain: String
    /// Whether it is sent to this host only, and not to hosts below it.
    let isHostOnly: Bool
    /// The path it is sent to, and below, percent-encoded as it was set.
    public let path: String
    /// When it expires, at most 400 days ahead; nil for the jar's lifetime.
    public let expires: Date?
    /// Whether it is sent over https only.
    public let isSecure: Bool
    /// Whether it came over plain http, where anyone on the network may have set it.
    private let isUnprotected: Bool

    /// Reads the value of one `Set-Cookie` field, commas included (RFC 6265bis §5.6 and §5.7); nil if it must not be
    /// stored.
    init?(setCookie text: String, from url: URL, now: Date = Date()) {
        guard let source = CookieTarget(url), !text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
        else { return nil }
        // Bytes, not characters: a combining mark must not hide “;” or “=”.
        let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let pair = CookieAttributes.pair(parts[0])
        (name, value) = (pair.name ?? "", pair.value)
        let attributes = CookieAttributes(parts.dropFirst(), now: now)
        guard !(name.isEmpty && value.isEmpty), name.utf8.count + value.utf8.count <= 4096,
            let scope = CookieDomain.scope(of: attributes.domain, from: source.host)
        else { return nil }
        (domain, isHostOnly) = scope
        path = attributes.path ?? source.folder
        expires = attributes.expires
        isSecure = attributes.isSecure
        isUnprotected = !source.isSecure

        // A response without TLS must not set a cookie that only TLS may read, and a prefix must hold what it promises.
        if isSecure, !source.isSecure { return nil }
        let prefixed = (name.isEmpty ? value : name).lowercased().utf8
        if prefixed.starts(with: "__secure-".utf8), name.isEmpty || !isSecure { return nil }
        if prefixed.starts(with: "__host-".utf8) {
            guard !name.isEmpty, isSecure, isHostOnly, attributes.namesPath, path == "/" else { return nil }
        }
    }

    /// Tells whether it is sent with a request to a URL.
    func goes(to url: URL) -> Bool { CookieTarget(url).map { goes(to: $0, now: Date()) } ?? false }

    func goes(to target: CookieTarget, now: Date) -> Bool {
        guard !hasExpired(at: now), !isSecure || target.isSecure else { return false }
        guard isHostOnly ? target.host == domain : CookieDomain.matches(target.host, domain) else { return false }
        return CookieTarget.matches(target.path, path)
    }

    func hasExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// The pair as it is sent; without a name, only the value.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    /// Tells whether one replaces the other.
    func isSame(as other: Cookie) -> Bool {
        domain == other.domain && isHostOnly == other.isHostOnly && name.utf8.elementsEqual(other.name.utf8)
            && path.utf8.elementsEqual(other.path.utf8)
    }

    /// Tells whether a cookie that came without TLS could be mistaken for this `Secure` one (RFC 6265bis §5.7).
    func isProtected(from new: Cookie) -> Bool {
        isSecure && new.isUnprotected && name.utf8.elementsEqual(new.name.utf8)
            && (CookieDomain.matches(domain, new.domain) || CookieDomain.matches(new.domain, domain))
            && CookieTarget.matches(new.path, path)
    }
}

extension Cookie: CustomStringConvertible, Redacted {
    /// The name and the domain; the value is a secret.
    public var description: String { "\(name)=\(Redaction.mark) for \(domain)\(path)" }

    var shownMembers: KeyValuePairs<String, Any> {
        [
            "name": name, "value": Redaction.mark, "domain": domain, "isHostOnly": isHostOnly, "path": path,
            "expires": expires as Any, "isSecure": isSecure,
        ]
    }
}
