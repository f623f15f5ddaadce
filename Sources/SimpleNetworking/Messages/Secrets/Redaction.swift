/// Hides secrets in all that is described, logged or thrown.
enum Redaction {
    static let mark = "‹secret›"

    static func value(of field: HTTPHeaders.Field) -> String {
        field.isSecret || isSecret(field: field.name) ? mark : field.value
    }

    /// The value of a header field; URLs in it are shown without secrets.
    static func text(of field: HTTPHeaders.Field) -> String {
        let value = value(of: field)
        guard value != mark, value.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") }) else {
            return value
        }
        let isURL = ["Location", "Content-Location", "Referer"].contains { $0.isSameFieldName(as: field.name) }
        return isURL ? text(ofURL: value) : text(ofPlain: value)
    }

    // MARK: URLs

    /// The URL without user information and fragment, and with the values of secret query items hidden.
    static func text(of url: URL) -> String {
        let isPlain = url.query == nil && url.user == nil && url.password == nil && url.fragment == nil
        return isPlain ? url.absoluteString : text(ofURL: url.absoluteString)
    }

    /// The same for text that may not be a valid URL.
    static func text(ofURL string: String) -> String {
        // Bytes, not characters: a combining mark must not hide “@” or “?”.
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
            secretValue(ofPair: pair).map { pair[..<$0.startIndex] + mark } ?? pair
        }.joined(separator: "&")
    }

    /// The value of a pair such as `a=b`, encoded, if the name says that it is a secret.
    static func secretValue(ofPair pair: Substring) -> Substring? {
        guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = pair[..<equals]
        let isHidden = isSecret(parameter: name.removingPercentEncoding ?? String(name))
        return isHidden ? pair[pair.utf8.index(after: equals)...] : nil
    }

    // MARK: Content

    /// Content as text, cut after `limit` bytes; of content that is no text, only the size.
    static func text(ofContent data: Data, type: MediaType?, limit: Int) -> String {
        guard data.count <= 1 << 20, type?.essence.hasPrefix("multipart/") != true,
            let text = TextEncoding.text(of: data, label: type?.parameter("charset")), !text.utf8.contains(0)
        else {
            return "(\(data.count) bytes" + (type.map { " of \($0.essence))" } ?? ")")
        }
        let shown: String
        if type?.essence == MediaType.form.rawValue {
            shown = self.text(ofQuery: text[...])
        } else if let json = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) {
            shown = canonical(hidden(json)) ?? "(\(data.count) bytes of JSON)"
        } else {
            shown = self.text(ofPlain: text)
        }
        // Cut last: half a name would not be found.
        guard shown.utf8.count > limit else { return shown }
        return String(decoding: shown.utf8.prefix(max(limit, 0)), as: UTF8.self) + "… (\(data.count) bytes in all)"
    }

    /// JSON as text that is equal for equal values.
    static func canonical(_ json: Any) -> String? {
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
        let data = try? JSONSerialization.data(withJSONObject: json, options: options)
        return data.map { String(decoding: $0, as: UTF8.self) }
    }

    static func hidden(_ json: Any) -> Any {
        switch json {
        case let object as [String: Any]:
            Dictionary(
                uniqueKeysWithValues: object.map { key, value in
                    (key, isSecret(parameter: key) && !(value is NSNull) ? mark : hidden(value))
                }
            )
        case let array as [Any]: array.map(hidden)
        case let text as String where isJSONWebToken(text.utf8): mark
        // Such as the URL of the next page.
        case let text as String where !text.contains(" ") && text.contains("="):
            text.contains("?") || text.contains("#") ? self.text(ofURL: text) : self.text(ofPlain: text)
        default: json
        }
    }

    /// Any other text: hides what follows a secret name.
    static func text(ofPlain text: String) -> String { PlainRedaction.text(of: text) }

    /// Hides these secrets wherever they are.
    static func hiding(_ secrets: [String], in text: String) -> String { Hiding(secrets).text(of: text) }
}
