import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Hides secrets, by the client's rules, in everything that the test kit shows and stores.
struct SecretHiding: Sendable {
    /// The string that replaces a secret.
    static let mark = Redaction.mark

    /// Returns whether the values of this parameter are secrets.
    static func isSecret(_ name: String) -> Bool { Redaction.isSecret(parameter: name) }

    /// Returns whether the value of this JSON member is a secret.
    static func isSecret(_ name: String, beside names: Set<String>) -> Bool {
        Redaction.isSecret(member: name, beside: names)
    }

    /// The number of secrets that were learned.
    var count: Int { secrets.count }

    private var secrets: Set<String> = []
    private var hiding = SecretReplacement([])

    /// Creates a value that knows all secret names, but no secrets yet.
    init() {}

    /// Learns the secrets of a message, to hide them wherever they occur.
    mutating func learn(_ headers: HTTPHeaders, _ body: Data, url: URL? = nil) {
        let found = Redaction.secrets(of: headers) + (url.map(Redaction.secrets(of:)) ?? [])
        learn(found + Redaction.secrets(of: body, type: headers.contentType))
    }

    /// Learns the secrets that the request's client has sent or decoded.
    mutating func learn(knownTo head: RequestHead) { learn(head.knownSecrets) }

    /// Learns secrets, to hide them wherever they occur, even encoded for a URL or for JSON.
    mutating func learn(_ values: [String]) {
        let known = secrets.count
        secrets.formUnion(values)
        secrets.remove(Self.mark)
        if secrets.count > known { hiding = SecretReplacement(Array(secrets)) }
    }

    /// Returns a URL without user info, fragment and secrets.
    func text(of url: URL) -> String {
        let encodedMark = PercentEncoding.encode(Self.mark, keeping: PercentEncoding.unreserved)
        let text = Redaction.text(of: url).replacingOccurrences(of: encodedMark, with: Self.mark)
        return hiding.text(of: text)
    }

    /// Returns a header field as a line, without secrets.
    func text(of field: HTTPHeaders.Field) -> String { hiding.text(of: field.description) }

    /// Returns whether the second text can be the first one with secrets hidden.
    static func hides(_ text: String, as hidden: String) -> Bool {
        let parts = hidden.components(separatedBy: mark)
        guard parts.count > 1, let first = parts.first, let last = parts.last, text.hasPrefix(first) else {
            return false
        }
        var rest = text.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.range(of: part, options: .literal) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    /// Returns text without the secrets that were learned.
    func known(in text: String) -> String { hiding.text(of: text) }

    /// Returns any text without secrets.
    func text(of text: String) -> String { hiding.text(of: Redaction.text(ofPlain: text)) }

    /// Returns text content without secrets.
    func text(ofContent text: String, type: MediaType?) -> String {
        String(decoding: content(Data(text.utf8), type: type), as: UTF8.self)
    }

    /// Returns content without secrets; content that has none stays unchanged, to the byte.
    func content(_ data: Data, type: MediaType?) -> Data { stored(data, type: type).content }

    /// Returns content without secrets, and its type: text that contained secrets becomes UTF-8.
    func stored(_ data: Data, type: MediaType?) -> (content: Data, type: MediaType?) {
        let charset = type?.parameter("charset")
        let isJSON = type?.essence.hasSuffix("json") == true
        let label = charset ?? (isJSON ? JSONValue.wideEncoding(of: data) : nil)
        guard let text = TextEncoding.text(of: data, label: label), !text.utf8.contains(0) else {
            return (bytes(data), type)
        }
        let hidden = hidden(text, type)
        if hidden.utf8.elementsEqual(text.utf8) { return (data, type) }
        guard let type, let charset, let name = TextEncoding(label: charset)?.name, name != "UTF-8" else {
            return (Data(hidden.utf8), type)
        }
        return (Data(hidden.utf8), type.withCharsetUTF8)
    }

    private func hidden(_ text: String, _ type: MediaType?) -> String {
        if type?.essence == MediaType.form.rawValue { return hiding.text(of: Redaction.text(ofQuery: text[...])) }
        if let json = JSONValue(text) {
            let hidden = Redaction.hidden(json)
            return hiding.text(of: hidden == json ? text : hidden.canonicalText)
        }
        return self.text(of: text)
    }

    /// Returns bytes that aren't text, without the secrets that were learned.
    private func bytes(_ data: Data) -> Data {
        var data = data
        let mark = Data(Self.mark.utf8)
        // The mark stays unchanged, even if part of it is a secret; a secret may be part of a longer one.
        for secret in secrets.map({ Data($0.utf8) }).sorted(by: { $0.count > $1.count })
        where secret.count >= 6 && mark.range(of: secret) == nil {
            var start = data.startIndex
            while let range = data.range(of: secret, in: start..<data.endIndex) {
                data.replaceSubrange(range, with: mark)
                start = range.lowerBound + mark.count
            }
        }
        return data
    }
}

extension MediaType {
    /// The type with UTF-8 in place of its charset.
    var withCharsetUTF8: MediaType {
        let others = rawValue.components(separatedBy: ";").filter {
            !$0.trimmingCharacters(in: .whitespaces).lowercased().hasPrefix("charset=")
        }
        return MediaType(others.joined(separator: ";") + "; charset=utf-8")
    }
}
