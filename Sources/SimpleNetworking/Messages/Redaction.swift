/// Hides secrets in whatever is described, logged or thrown.
enum Redaction {
    static let mark = "‹secret›"

    /// Field names that carry credentials by custom, and any name that says so.
    static func isSecret(field name: String) -> Bool {
        let name = name.lowercased()
        return name == "cookie" || name == "set-cookie" || hasSecretWord(name)
    }

    static func value(of field: HTTPHeaders.Field) -> String {
        isSecret(field: field.name) ? mark : field.value
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
        var string = string
        if let fragment = string.firstIndex(of: "#") { string = String(string[..<fragment]) }
        if let scheme = string.range(of: "://") {
            let authority = string[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
            if let at = authority.lastIndex(of: "@") { string.replaceSubrange(scheme.upperBound..<at, with: mark) }
        }
        guard let mark = string.firstIndex(of: "?") else { return string }
        return string[...mark] + text(ofQuery: string[string.index(after: mark)...])
    }

    /// Hides the values of secret names in `a=b&c=d`.
    static func text(ofQuery pairs: Substring) -> String {
        pairs.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            guard let equals = pair.firstIndex(of: "=") else { return String(pair) }
            let name = pair[..<equals]
            let plain = name.removingPercentEncoding ?? String(name)
            return hasSecretWord(plain.lowercased()) || plain == "code" ? "\(name)=\(mark)" : String(pair)
        }.joined(separator: "&")
    }

    private static func hasSecretWord(_ name: String) -> Bool {
        secretWords.contains { name.contains($0) }
    }

    private static let secretWords = [
        "authorization", "token", "secret", "password", "passwd", "api-key", "api_key", "apikey", "credential",
        "signature", "session", "assertion", "jwt",
    ]
}
