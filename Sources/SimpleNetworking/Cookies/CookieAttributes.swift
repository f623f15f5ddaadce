/// The attributes of a `Set-Cookie` field (RFC 6265bis §5.6); of repeated ones, the last counts.
struct CookieAttributes {
    /// The domain in lower case; nil if it is missing or empty.
    private(set) var domain: String?
    /// The path; nil for the default one.
    private(set) var path: String?
    /// Whether there is a `Path`, even if it means the default one.
    private(set) var namesPath = false
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

    /// 400 days (RFC 6265bis §5.5).
    private static let longest: TimeInterval = 400 * 86_400

    /// Reads `Max-Age`: any number of digits, with or without a minus.
    private static func end(after value: String, now: Date) -> Date? {
        let isNegative = value.utf8.first == UInt8(ascii: "-")
        let digits = isNegative ? value.dropFirst() : value[...]
        guard digits.isNumber else { return nil }
        let seconds = TimeInterval(digits) ?? longest
        return isNegative || seconds <= 0 ? .distantPast : now + min(seconds, longest)
    }
}
