/// Hides secrets in the parts of a message, wherever they are described, logged or thrown.
extension Redaction {
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

    /// Content as text, cut after `limit` bytes; of content that is no text, only the size.
    ///
    /// What is known as a secret is hidden by `hide`.
    static func text(
        ofContent data: Data,
        type: MediaType?,
        limit: Int = .max,
        hide: (String) -> String = { $0 }
    ) -> String {
        guard let text = text(ofReadable: data, type: type) else {
            return "(\(data.count) bytes" + (type.map { " of \($0.essence))" } ?? ")")
        }
        let shown = hide(text)
        // Cut last: half a name or a secret would not be found.
        guard shown.utf8.count > limit else { return shown }
        return String(decoding: shown.utf8.prefix(max(limit, 0)), as: UTF8.self) + "… (\(data.count) bytes in all)"
    }

    /// Content as text; nil if it is none in which secrets can be found.
    static func text(ofReadable data: Data, type: MediaType?) -> String? {
        guard data.count <= 1 << 20, type?.essence.hasPrefix("multipart/") != true,
            let text = TextEncoding.text(of: data, label: type?.parameter("charset")), !text.utf8.contains(0)
        else { return nil }
        if type?.essence == MediaType.form.rawValue { return self.text(ofQuery: text[...]) }
        guard let json = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) else {
            return self.text(ofPlain: text)
        }
        return canonical(hidden(json))
    }
}

/// Shows itself to `dump` and debuggers without its secrets.
protocol Redacted: CustomReflectable {
    /// What is shown beside the description: values without secrets, or that hide their own.
    ///
    /// The default is nothing.
    var shownMembers: KeyValuePairs<String, Any> { get }
}

extension Redacted {
    var shownMembers: KeyValuePairs<String, Any> { [:] }

    /// Shows the value to `dump` and debuggers, with secrets hidden.
    public var customMirror: Mirror {
        Mirror(self, children: shownMembers, displayStyle: .struct, ancestorRepresentation: .suppressed)
    }
}
