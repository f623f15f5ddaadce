/// Hides secrets in what goes over the wire: known names in header fields, forms and JSON, and whatever a header field has
/// carried as a secret, wherever it comes again.
extension Redaction {
    /// The value of a header field; addresses in it are shown without secrets.
    static func text(of field: HTTPHeaders.Field) -> String {
        let value = value(of: field)
        guard value != mark, value.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") }) else {
            return value
        }
        let isAddress = ["Location", "Content-Location", "Referer"].contains { $0.isSameFieldName(as: field.name) }
        return isAddress ? text(ofURL: value) : text(ofPlain: value)
    }

    /// Content as text, cut after so many bytes; of what is no text only the size.
    static func text(ofContent data: Data, type: MediaType?, limit: Int) -> String {
        let isTooLarge = data.count > 1 << 20
        guard !isTooLarge, type?.essence.hasPrefix("multipart/") != true,
            let text = TextEncoding.text(of: data, label: type?.parameter("charset")), !text.utf8.contains(0)
        else {
            return "(\(data.count) bytes" + (type.map { " of \($0.essence))" } ?? ")")
        }
        let shown: String
        if type?.essence == MediaType.form.rawValue {
            shown = self.text(ofQuery: text[...])
        } else if let json = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) {
            shown = self.text(ofJSON: json) ?? "(\(data.count) bytes of JSON)"
        } else {
            shown = self.text(ofPlain: text)
        }
        // Cut only now: half a name is none that is known.
        guard shown.utf8.count > limit else { return shown }
        return String(decoding: shown.utf8.prefix(max(limit, 0)), as: UTF8.self) + "… (\(data.count) bytes in all)"
    }

    private static func text(ofJSON json: Any) -> String? {
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
        let data = try? JSONSerialization.data(withJSONObject: hidden(json), options: options)
        return data.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func hidden(_ json: Any) -> Any {
        switch json {
        case let object as [String: Any]:
            Dictionary(
                uniqueKeysWithValues: object.map { key, value in
                    (key, isSecret(parameter: key) && !(value is NSNull) ? mark : hidden(value))
                }
            )
        case let array as [Any]: array.map(hidden)
        // Such as the address of the next page.
        case let text as String where !text.contains(" ") && text.contains("="):
            text.contains("?") || text.contains("#") ? self.text(ofURL: text) : self.text(ofPlain: text)
        default: json
        }
    }

    /// Any other text: what follows a secret name is hidden, up to the end of the value, as it may be.
    static func text(ofPlain text: String) -> String { PlainRedaction.text(of: text) }
}
