/// What follows on the pair in a `Set-Cookie` field (RFC 6265bis §5.6); of those that are repeated, the last one counts.
struct CookieAttributes {
    /// The domain in lower case; nil if there is none, or an empty one.
    private(set) var domain: String?
    /// The path; nil for the default one.
    private(set) var path: String?
    /// Whether a path is named, be it the default one.
    private(set) var namesPath = false
    /// When the cookie expires; nil if it does not say.
    private(set) var expires: Date?
    private(set) var isSecure = false

    init(_ parts: ArraySlice<Substring.UTF8View>, now: Date) {
        var maxAge: Date?
        for part in parts {
            let (name, value) = Self.pair(part)
            guard value.utf8.count <= 1024 else { continue }
            switch (name ?? value).lowercased() {
            case "domain":
                let wanted = name == nil ? "" : value.lowercased()
                let domain = wanted.utf8.first == UInt8(ascii: ".") ? String(wanted.dropFirst()) : wanted
                self.domain = domain.isEmpty ? nil : domain
            case "path":
                namesPath = true
                path = name != nil && value.utf8.first == UInt8(ascii: "/") ? value : nil
            case "expires": expires = CookieDate.date(value).map { min($0, now + Self.longest) } ?? expires
            case "max-age": maxAge = Self.end(after: value, now: now) ?? maxAge
            case "secure": isSecure = true
            default: break
            }
        }
        expires = maxAge ?? expires
    }

    /// Splits at the first `=`; without one, all of it is the value, and there is no name.
    static func pair(_ part: Substring.UTF8View) -> (name: String?, value: String) {
        guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return (nil, Substring(part).trimmed) }
        return (Substring(part[..<equals]).trimmed, Substring(part[part.index(after: equals)...]).trimmed)
    }

    /// Seconds that a cookie may be kept: 400 days (RFC 6265bis §5.5).
    private static let longest: TimeInterval = 400 * 86_400

    /// Digits, behind a minus or not, however many.
    private static func end(after value: String, now: Date) -> Date? {
        let isNegative = value.utf8.first == UInt8(ascii: "-")
        let digits = isNegative ? value.dropFirst() : value[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let seconds = TimeInterval(digits) ?? longest
        return isNegative || seconds <= 0 ? .distantPast : now + min(seconds, longest)
    }
}

extension Substring {
    /// The text without spaces and tabs at its ends (RFC 9110 §5.6.3).
    var trimmed: String {
        var bytes = utf8[...]
        while let byte = bytes.first, byte == 0x20 || byte == 0x09 { bytes.removeFirst() }
        while let byte = bytes.last, byte == 0x20 || byte == 0x09 { bytes.removeLast() }
        return String(Substring(bytes))
    }
}
