/// What is secret in what goes over the wire, in the pieces in which it may come again.
extension Redaction {
    /// What stands in secret header fields.
    static func secrets(of headers: HTTPHeaders) -> [String] {
        headers.fields.filter { value(of: $0) == mark }.flatMap { field -> [String] in
            // Of a cookie that is set only the value, not its attributes.
            let isSet = field.name.isSameFieldName(as: "Set-Cookie")
            let value = isSet ? field.value.prefix { $0 != ";" } : field.value[...]
            var pieces = [String(value)] + secrets(ofField: String(value))
            pieces += value.split(whereSeparator: { " ;,".contains($0) }).map(String.init)
            return pieces.filter { !schemes.contains($0.lowercased()) }
        }
    }

    /// What is secret in the value of a secret header field: the credential after its scheme, the values of cookies, and the
    /// password of Basic credentials.
    static func secrets(ofField value: String) -> [String] {
        let words = value.split(separator: " ", maxSplits: 1)
        if words.count == 2, schemes.contains(words[0].lowercased()) {
            let credential = String(words[1])
            let basic = Data(base64Encoded: credential).map { String(decoding: $0, as: UTF8.self) }
            let password = (basic ?? "").drop { $0 != ":" }.dropFirst()
            return [credential, String(password)]
        }
        // As in cookies; a token may end with “=”.
        let pairs = value.split(separator: ";").compactMap { pair -> String? in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? String(parts[1]) : nil
        }
        return [value] + pairs
    }

    /// The values of secret query items, decoded.
    static func secrets(of url: URL) -> [String] {
        let query = url.absoluteString.drop { $0 != "?" }.dropFirst()
        return secrets(ofQuery: query.prefix { $0 != "#" })
    }

    /// The values of secret members of a form or of JSON; of other content nothing is known.
    static func secrets(of content: Data, type: MediaType?) -> [String] {
        if type?.essence == MediaType.form.rawValue {
            return secrets(ofQuery: String(decoding: content, as: UTF8.self)[...])
        }
        guard let json = try? JSONSerialization.jsonObject(with: content, options: .fragmentsAllowed) else { return [] }
        return secrets(ofJSON: json, isSecret: false)
    }

    private static func secrets(ofQuery pairs: Substring) -> [String] {
        pairs.split(separator: "&").compactMap { pair in
            guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = pair[..<equals].removingPercentEncoding ?? String(pair[..<equals])
            guard isSecret(parameter: name) else { return nil }
            let value = pair[equals...].dropFirst().replacingOccurrences(of: "+", with: " ")
            return value.removingPercentEncoding ?? value
        }
    }

    private static func secrets(ofJSON json: Any, isSecret: Bool) -> [String] {
        switch json {
        case let object as [String: Any]:
            object.flatMap { secrets(ofJSON: $1, isSecret: isSecret || self.isSecret(parameter: $0)) }
        case let array as [Any]: array.flatMap { secrets(ofJSON: $0, isSecret: isSecret) }
        case let text as String: isSecret ? [text] : []
        case let number as NSNumber: isSecret ? ["\(number)"] : []
        default: []
        }
    }

    private static let schemes = ["basic", "bearer", "digest", "token", "negotiate", "path", "secure", "httponly"]

    /// Hides texts wherever they are.
    static func hiding(_ secrets: [String], in text: String) -> String { Hiding(secrets).text(of: text) }
}
