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

    /// What stands in secret header fields, in the pieces in which it may come again.
    static func secrets(of headers: HTTPHeaders) -> [String] {
        headers.fields.filter { value(of: $0) == mark }.flatMap { field -> [String] in
            // Of a cookie that is set only the value, not its attributes.
            let isSet = field.name.isSameFieldName(as: "Set-Cookie")
            let value = isSet ? field.value.prefix { $0 != ";" } : field.value[...]
            var pieces: [Substring] = [value]
            for piece in value.split(whereSeparator: { " ;,".contains($0) }) {
                pieces.append(piece)
                // The value of a pair, as in a cookie.
                if let equals = piece.firstIndex(of: "=") { pieces.append(piece[equals...].dropFirst()) }
            }
            return pieces.map(String.init).filter { $0.utf8.count >= 4 && !schemes.contains($0.lowercased()) }
        }
    }

    /// Hides texts wherever they are.
    static func hiding(_ secrets: [String], in text: String) -> String {
        secrets.reduce(text) { $0.replacingOccurrences(of: $1, with: mark, options: .literal) }
    }

    private static let schemes = ["basic", "bearer", "digest", "token", "negotiate", "path", "secure", "httponly"]

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
            text.contains("?") || text.contains("#") ? self.text(ofURL: text) : text
        default: json
        }
    }

    /// Any other text: what follows a secret name and `=` or `:` is hidden, up to the end of the value, as it may be.
    static func text(ofPlain text: String) -> String {
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        var name: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            output.append(byte)
            index += 1
            if nameBytes.contains(byte) {
                name.append(byte)
                continue
            }
            guard byte == UInt8(ascii: "=") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ">") else {
                // A name may be quoted, or stand before a space.
                if byte != UInt8(ascii: "\""), byte != UInt8(ascii: "'"), byte != UInt8(ascii: " ") { name = [] }
                continue
            }
            defer { name = [] }
            guard isSecret(parameter: String(decoding: name, as: UTF8.self)) else { continue }
            while index < bytes.count, bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\"") {
                output.append(bytes[index])
                index += 1
            }
            let isField = byte == UInt8(ascii: ":")
            let end = bytes[index...].firstIndex { (isField ? lineEnds : valueEnds).contains($0) } ?? bytes.endIndex
            if end > index { output += Array(mark.utf8) }
            index = end
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static let nameBytes = ByteSet.lettersAndDigits.union(ByteSet("_-.%"))
    private static let valueEnds = ByteSet("&;,\"'<>)}] \t\r\n")
    private static let lineEnds = ByteSet("\"\r\n")
}
