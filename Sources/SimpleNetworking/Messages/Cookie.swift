/// A cookie as a server set it (RFC 6265bis).
public struct Cookie: Sendable, Hashable {
    /// The name, compared with its case; empty for a cookie that is a value only.
    public let name: String
    /// The value as it was set.
    public let value: String
    /// The host that set it, or the domain it was set for, in lower case.
    public let domain: String
    /// Whether it goes to just that host, and not to hosts below it.
    public let isHostOnly: Bool
    /// The path that it goes to, and below, percent-encoded as it was set.
    public let path: String
    /// When it expires, at most 400 days ahead; nil for the jar's lifetime.
    public let expires: Date?
    /// Whether it goes over https only.
    public let isSecure: Bool
    /// Whether it came over plain http, where anybody on the way may have set it.
    private let isUnprotected: Bool

    /// Reads one `Set-Cookie` value, as RFC 6265bis §5.6 and §5.7 say; nil if it is not to be kept.
    ///
    /// - Parameters:
    ///   - text: The value of one field; a comma is a part of it.
    ///   - url: The URL of the response.
    ///   - now: The time, for `Max-Age`.
    public init?(setCookie text: String, from url: URL, now: Date = Date()) {
        guard let source = CookieTarget(url), !text.utf8.contains(where: Self.isControl) else { return nil }
        // Bytes, not characters: a mark that combines with “;” or “=” must not hide it.
        let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let pair = CookieAttributes.pair(parts[0])
        (name, value) = (pair.name ?? "", pair.value)
        let attributes = CookieAttributes(parts.dropFirst(), now: now)
        guard !(name.isEmpty && value.isEmpty), name.utf8.count + value.utf8.count <= 4096,
            let reach = CookieDomain.reach(of: attributes.domain, from: source.host)
        else { return nil }
        (domain, isHostOnly) = reach
        path = attributes.path ?? source.folder
        expires = attributes.expires
        isSecure = attributes.isSecure
        isUnprotected = !source.isSecure

        // A page without TLS must not set what only TLS may read, and no name may promise what does not hold.
        if isSecure, !source.isSecure { return nil }
        let prefixed = (name.isEmpty ? value : name).lowercased().utf8
        if prefixed.starts(with: "__secure-".utf8), name.isEmpty || !isSecure { return nil }
        if prefixed.starts(with: "__host-".utf8) {
            guard !name.isEmpty, isSecure, isHostOnly, attributes.namesPath, path == "/" else { return nil }
        }
    }

    /// Tells whether it goes with a request to a URL.
    public func goes(to url: URL, now: Date = Date()) -> Bool {
        CookieTarget(url).map { goes(to: $0, now: now) } ?? false
    }

    func goes(to target: CookieTarget, now: Date) -> Bool {
        guard !hasExpired(at: now), !isSecure || target.isSecure else { return false }
        guard isHostOnly ? target.host == domain : CookieDomain.matches(target.host, domain) else { return false }
        return CookieTarget.matches(target.path, path)
    }

    func hasExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// The pair as it is sent; without a name, the value only.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    /// Tells whether both are one cookie with two values.
    func isSame(as other: Cookie) -> Bool {
        domain == other.domain && isHostOnly == other.isHostOnly && name.utf8.elementsEqual(other.name.utf8)
            && path.utf8.elementsEqual(other.path.utf8)
    }

    /// Tells whether a cookie would pass for this one, which TLS protects, though it came without TLS (RFC 6265bis §5.7).
    func isProtected(from new: Cookie) -> Bool {
        isSecure && new.isUnprotected && name.utf8.elementsEqual(new.name.utf8)
            && (CookieDomain.matches(domain, new.domain) || CookieDomain.matches(new.domain, domain))
            && CookieTarget.matches(new.path, path)
    }

    /// Whether the byte is a control character other than a tab.
    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }
}

extension Cookie: CustomStringConvertible, CustomReflectable {
    /// The name and the domain; the value is a secret.
    public var description: String { "\(name)=\(Redaction.mark) for \(domain)\(path)" }

    /// Shows all but the value.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "name": name, "value": Redaction.mark, "domain": domain, "isHostOnly": isHostOnly, "path": path,
            "expires": expires as Any, "isSecure": isSecure,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
