import SimpleNetworkingFeatureSupport

/// Represents a cookie as a server set it (RFC 6265bis).
public struct Cookie: Sendable, Hashable {
    /// The name, which is case-sensitive; empty for a cookie that has only a value.
    public let name: String
    /// The value as the server set it.
    public let value: String
    /// The host that set the cookie, or the domain for which the cookie was set, in lowercase.
    public let domain: String
    /// Whether the cookie is sent only to this host, and not to its subdomains.
    let isHostOnly: Bool
    /// The path, percent-encoded as the server set it; the cookie is also sent to subpaths.
    public let path: String
    /// The date when the cookie expires, at most 400 days ahead; nil if the cookie lasts as long as the jar.
    public let expires: Date?
    /// Whether the cookie is sent only over HTTPS, and to this computer's own hosts, such as `localhost`.
    public let isSecure: Bool
    /// Whether the cookie was received over plain HTTP from another computer, where anyone on the network may have set
    /// it.
    let isUnprotected: Bool

    /// Creates a cookie from one `Set-Cookie` field, including commas; nil if it must not be stored (RFC 6265bis §5.7).
    init?(setCookie text: String, from url: URL, now: Date = Date()) {
        guard let source = CookieTarget(url), let field = SetCookie(text, now: now),
            let scope = CookieDomain.scope(of: field.domain, from: source.host)
        else { return nil }
        self.init(field, scope, from: source)
    }

    /// Returns the cookies of one response's `Set-Cookie` fields.
    static func cookies(setBy fields: [String], from source: CookieTarget, now: Date) -> [Cookie] {
        // Searching the public suffixes takes longer than all else.
        var scopes: [String?: (domain: String, isHostOnly: Bool)?] = [:]
        return fields.compactMap { text in
            guard let field = SetCookie(text, now: now) else { return nil }
            let scope = scopes[field.domain] ?? CookieDomain.scope(of: field.domain, from: source.host)
            scopes[field.domain] = .some(scope)
            return scope.flatMap { Cookie(field, $0, from: source) }
        }
    }

    private init?(
        _ field: SetCookie,
        _ scope: (domain: String, isHostOnly: Bool),
        from source: CookieTarget
    ) {
        name = field.name
        value = field.value
        expires = field.expires
        isSecure = field.isSecure
        (domain, isHostOnly) = scope
        path = field.path ?? CookiePath.folder(of: source.path)
        isUnprotected = !source.isSecure
        // A response received without TLS must not set a cookie that is sent only over TLS.
        if isSecure, isUnprotected { return nil }
        guard field.holdsItsPrefix(path: path, isHostOnly: isHostOnly) else { return nil }
    }

    /// The pair as it is sent; only the value if the cookie has no name.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    /// Returns whether one cookie replaces the other.
    func isSame(as other: Cookie) -> Bool {
        // Names and paths that are equal only as text differ; those that aren't even that are told apart faster.
        name == other.name && domain == other.domain && isHostOnly == other.isHostOnly && path == other.path
            && name.utf8.elementsEqual(other.name.utf8) && path.utf8.elementsEqual(other.path.utf8)
    }
}

extension Cookie: Described, Redacted {
    /// The name, the domain and the path; the value is a secret.
    package var shownText: String { "\(name)=\(Redaction.mark) for \(domain)\(path)" }

    package var shownMembers: KeyValuePairs<String, Any> {
        [
            "name": name, "value": Redaction.mark, "domain": domain, "isHostOnly": isHostOnly, "path": path,
            "expires": expires as Any, "isSecure": isSecure,
        ]
    }
}
