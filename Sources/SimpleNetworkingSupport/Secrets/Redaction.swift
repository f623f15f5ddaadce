/// Hides secrets in everything that is described, logged or thrown.
package enum Redaction {
    package static let mark = "‹secret›"

    // MARK: URLs

    /// Returns the URL without user info and fragment, and with the values of secret query items hidden.
    package static func text(of url: URL) -> String {
        let text = url.absoluteString
        let isPlain = !text.contains(anyOf: "?#@;") && !mayHaveWebToken(text)
        return isPlain ? text : self.text(ofURL: text)
    }

    /// Does the same for a string that might not be a valid URL.
    package static func text(ofURL string: String) -> String {
        var start = ""
        var rest = string[...]
        if let user = user(inURL: Array(string.utf8)) {
            let utf8 = string.utf8
            start = text(ofPath: string[..<utf8.index(utf8.startIndex, offsetBy: user.lowerBound)]) + mark
            rest = string[utf8.index(utf8.startIndex, offsetBy: user.upperBound)...]
        }
        let (path, query) = rest.parts(at: "#").before.parts(at: "?")
        start += text(ofPath: path)
        return query.map { start + "?" + text(ofQuery: $0) } ?? start
    }

    /// Hides web tokens and the values of secret parameters, such as `;jsessionid=…`.
    private static func text(ofPath path: Substring) -> String {
        let segments = path.pieces(between: "/", keepsEmpty: true).map { segment in
            segment.pieces(between: ";", keepsEmpty: true).map { part in
                secretValue(ofPair: part).map { part[..<$0.startIndex] + mark } ?? hidingUser(inSegment: part)
            }.joined(separator: ";")
        }
        return hidingWebTokens(in: segments.joined(separator: "/"))
    }

    /// Hides the values of secret names in `a=b&c=d`, and user info in the other values.
    package static func text(ofQuery pairs: Substring) -> String {
        pairs.pieces(between: "&", keepsEmpty: true).map { pair in
            secretValue(ofPair: pair).map { pair[..<$0.startIndex] + mark } ?? hidingUsers(in: String(pair))[...]
        }.joined(separator: "&")
    }

    /// Returns the encoded value of a pair such as `a=b`, if its name is secret.
    @inline(never)  // Inlined 4 times, it took 5 KB.
    package static func secretValue(ofPair pair: Substring) -> Substring? {
        guard case (let name, let value?) = pair.parts(at: "=") else { return nil }
        return isSecret(parameter: name.percentDecoded ?? String(name)) ? value : nil
    }

    // MARK: Content

    /// Returns content as text, cut after `limit` bytes; for content that is not text, only the size.
    ///
    /// Known secrets are hidden by `hide`.
    package static func text(ofContent data: Data, type: String?, limit: Int, hide: (String) -> String) -> String {
        let isBinary = type.map { MediaTypeParts($0).isBinary } ?? false
        guard !isBinary, let text = text(ofReadable: data, type: type) else {
            return "(\(data.count) bytes" + (type.map { " of \(MediaTypeParts($0).essence))" } ?? ")")
        }
        let shown = hide(text)
        // Cut last, because a partial name or secret would not be found.
        guard shown.utf8.count > limit else { return shown }
        return String(decoding: shown.utf8.prefix(max(limit, 0)), as: UTF8.self) + "… (\(data.count) bytes in all)"
    }

    /// Returns content as text; nil if it isn't text in which secrets can be found.
    package static func text(ofReadable data: Data, type: String?) -> String? {
        let type = type.map { MediaTypeParts($0) }
        guard data.count <= 1 << 20, type?.essence.hasPrefix("multipart/") != true,
            let text = TextEncoding.text(of: data, label: type?["charset"]), !text.utf8.contains(0)
        else { return nil }
        if type?.isForm == true { return self.text(ofQuery: text[...]) }
        guard let json = JSONValue(text) else { return self.text(ofPlain: text) }
        return hidden(json).canonicalText
    }

    /// Returns the value with its secrets hidden; `isInText` for JSON within a string of other JSON.
    package static func hidden(_ json: JSONValue, isInText: Bool = false) -> JSONValue {
        switch json {
        case .object(let object):
            .object(
                Dictionary(
                    uniqueKeysWithValues: object.map { key, value in
                        let isSecret = isSecret(member: key, beside: object.keys) && value != .null
                        return (key, isSecret ? .text(mark) : hidden(value, isInText: isInText))
                    }
                )
            )
        case .list(let values): .list(values.map { hidden($0, isInText: isInText) })
        case .text(let text): .text(hidden(text, isInText: isInText))
        case .null, .flag, .number: json
        }
    }

    /// Returns a string of JSON with its secrets hidden.
    package static func hidden(_ text: String, isInText: Bool = false) -> String {
        let first = text.utf8.first { !ByteSet.blanks.contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            // Deeper values are read as plain text, so that nesting is limited.
            guard !isInText, let json = JSONValue(text) else { return self.text(ofPlain: text) }
            let hidden = hidden(json, isInText: true)
            return hidden == json ? text : hidden.canonicalText
        }
        // For example, the URL of the next page.
        if !text.contains(" "), text.contains("=") {
            return text.contains("?") || text.contains("#") ? self.text(ofURL: text) : self.text(ofPlain: text)
        }
        let shown = hidingUsers(in: text)
        return shown == text || text.contains(" ") ? hidingWebTokens(in: shown) : self.text(ofURL: text)
    }

    /// Returns any other text, with the values of secret names hidden.
    package static func text(ofPlain text: String) -> String { PlainRedaction.text(of: text) }

    /// Hides these secrets wherever they occur.
    package static func hiding(_ secrets: [String], in text: String) -> String {
        SecretReplacement(secrets).text(of: text)
    }
}
