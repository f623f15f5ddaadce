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
    let isUnprotected: Bool

    /// Reads the value of one `Set-Cookie` field, commas included (RFC 6265bis §5.7); nil if it must not be stored.
    init?(setCookie text: String, from url: URL, now: Date = Date()) {
        guard let source = CookieTarget(url), let field = SetCookie(text, now: now),
            let scope = CookieDomain.scope(of: field.domain, from: source.host)
        else { return nil }
        name = field.name
        value = field.value
        expires = field.expires
        isSecure = field.isSecure
        (domain, isHostOnly) = scope
        path = field.path ?? CookiePath.folder(of: source.path)
        isUnprotected = !source.isSecure
        // A response without TLS must not set a cookie that only TLS may read.
        if isSecure, isUnprotected { return nil }
        guard field.holdsItsPrefix(path: path, isHostOnly: isHostOnly) else { return nil }
    }

    /// The pair as it is sent; without a name, only the value.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    /// Tells whether one replaces the other.
    func isSame(as other: Cookie) -> Bool {
        domain == other.domain && isHostOnly == other.isHostOnly && name.utf8.elementsEqual(other.name.utf8)
            && path.utf8.elementsEqual(other.path.utf8)
    }
}

extension Cookie: Described, Redacted {
    /// The name and the domain; the value is a secret.
    var shownText: String { "\(name)=\(Redaction.mark) for \(domain)\(path)" }

    var shownMembers: KeyValuePairs<String, Any> {
        [
            "name": name, "value": Redaction.mark, "domain": domain, "isHostOnly": isHostOnly, "path": path,
            "expires": expires as Any, "isSecure": isSecure,
        ]
    }
}
