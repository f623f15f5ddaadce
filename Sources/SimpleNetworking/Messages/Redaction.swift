/// Hides secrets in whatever is described, logged or thrown.
enum Redaction {
    static let mark = "‹secret›"

    static func value(of field: HTTPHeaders.Field) -> String {
        field.isSecret || isSecret(field: field.name) ? mark : field.value
    }

    /// The address without user information, and with the values of secret query items hidden.
    static func text(of url: URL) -> String {
        guard url.query != nil || url.user != nil || url.password != nil || url.fragment != nil else {
            return url.absoluteString
        }
        return text(ofURL: url.absoluteString)
    }

    /// The same for an address that may not be a valid one.
    static func text(ofURL string: String) -> String {
        // Bytes, not characters: a mark that combines with “@” or “?” must not hide it.
        var string = string[...]
        if let fragment = string.utf8.firstIndex(of: UInt8(ascii: "#")) { string = string[..<fragment] }
        var start = ""
        if let scheme = string.range(of: "://", options: .literal) {
            let authority = string.utf8[scheme.upperBound...].prefix {
                $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
            }
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
                start = string[..<scheme.upperBound] + mark
                string = string[at...]
            }
        }
        guard let query = string.utf8.firstIndex(of: UInt8(ascii: "?")) else { return start + string }
        return start + string[...query] + text(ofQuery: string[query...].dropFirst())
    }

    /// Hides the values of secret names in `a=b&c=d`.
    static func text(ofQuery pairs: Substring) -> String {
        pairs.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else { return String(pair) }
            let name = pair[..<equals].removingPercentEncoding ?? String(pair[..<equals])
            return isSecret(parameter: name) ? pair[...equals] + mark : String(pair)
        }.joined(separator: "&")
    }
}
