/// Hides secrets by the client's rules in what the test kit shows and stores.
package struct SecretHiding: Sendable {
    /// What stands in place of a secret.
    package static let mark = Redaction.mark

    /// Tells whether the values of this parameter or JSON member are secrets.
    package static func isSecret(_ name: String) -> Bool { Redaction.isSecret(parameter: name) }

    /// A JSON value with the values of secret members hidden.
    package static func hidden(json: Any) -> Any { Redaction.hidden(json) }

    /// How many secrets were learned.
    package var count: Int { secrets.count }

    private var secrets: Set<String> = []
    private var hiding = Hiding([])

    /// Makes a value that knows no secret yet, but the names of all.
    package init() {}

    /// Learns the secrets of a message, to hide them wherever they occur.
    package mutating func learn(_ headers: HTTPHeaders, _ body: Data, url: URL? = nil) {
        let type = headers.contentType
        let found = Redaction.secrets(of: headers) + (url.map(Redaction.secrets(of:)) ?? [])
        let known = secrets.count
        secrets.formUnion(found + Redaction.secrets(of: body, type: type))
        secrets.remove(Self.mark)
        if secrets.count > known { hiding = Hiding(Array(secrets)) }
    }

    /// A URL without user information and fragment, and without secrets.
    package func text(of url: URL) -> String {
        let encodedMark = PercentEncoding.encode(Self.mark, keeping: PercentEncoding.unreserved)
        let text = Redaction.text(of: url).replacingOccurrences(of: encodedMark, with: Self.mark)
        return hiding.text(of: text)
    }

    /// A header field as a line, without secrets.
    package func text(of field: HTTPHeaders.Field) -> String { hiding.text(of: field.description) }

    /// A text without the secrets that were learned.
    package func known(in text: String) -> String { hiding.text(of: text) }

    /// Any text, without secrets.
    package func text(of text: String) -> String { hiding.text(of: Redaction.text(ofPlain: text)) }

    /// Content without secrets; what has none stays as it is, to the byte.
    package func content(_ data: Data, type: MediaType?) -> Data {
        guard let text = String(data: data, encoding: .utf8), !text.utf8.contains(0) else { return bytes(data) }
        if type?.essence == MediaType.form.rawValue {
            return Data(hiding.text(of: Redaction.text(ofQuery: text[...])).utf8)
        }
        if let json = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed),
            let plain = Self.canonical(json), let hidden = Self.canonical(Redaction.hidden(json))
        {
            return Data(hiding.text(of: hidden == plain ? text : hidden).utf8)
        }
        return Data(self.text(of: text).utf8)
    }

    /// Bytes that are no text, without the secrets that were learned.
    private func bytes(_ data: Data) -> Data {
        var data = data
        for secret in secrets where secret.utf8.count >= 6 {
            while let range = data.range(of: Data(secret.utf8)) { data.replaceSubrange(range, with: Self.mark.utf8) }
        }
        return data
    }

    private static func canonical(_ json: Any) -> String? {
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
        return (try? JSONSerialization.data(withJSONObject: json, options: options)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
