/// The parts of a media type, parsed as browsers do (WHATWG MIME Sniffing §4.4).
package struct MediaTypeParts {
    /// The type and the subtype in lowercase, such as `text/html`.
    package let essence: String
    /// Whether the type and the subtype are tokens; if not, browsers ignore the whole value.
    package let isValid: Bool
    /// The parameters in order, with their names in lowercase; the first of repeated parameters applies.
    package private(set) var parameters: [(name: String, value: String)] = []

    package init(_ text: String) {
        var rest = Substring(text[...].trimmed(of: .blanks)).unicodeScalars
        let start = Self.take(from: &rest) { $0 == ";" }[...].trimmed(of: .blanks)
        let names = start.pieces(between: "/", keepsEmpty: true)
        isValid = names.count == 2 && names.allSatisfy { String($0).isToken }
        essence = start.lowercased()
        var known: Set<String> = []
        // Each round begins at a semicolon.
        while rest.popFirst() != nil {
            rest = rest.drop(while: Self.isBlank)
            let name = Self.take(from: &rest) { $0 == ";" || $0 == "=" }
            guard rest.first == "=" else { continue }
            rest.removeFirst()
            let isQuoted = rest.first == "\""
            let value = isQuoted ? rest.takeQuoted() : Self.takePlain(from: &rest)
            // Anything after a quoted value is ignored.
            rest = rest.drop { $0 != ";" }
            guard isQuoted || !value.isEmpty, name.isToken,
                value.unicodeScalars.allSatisfy({ $0 == "\t" || (0x20...0xFF).contains($0.value) && $0.value != 0x7F }),
                known.insert(name.lowercased()).inserted
            else { continue }
            parameters.append((name.lowercased(), value))
        }
    }

    /// The value of a parameter; nil if there is none.
    package subscript(name: String) -> String? { parameters.first { $0.name.isSameFieldName(as: name) }?.value }

    /// Whether this is `application/x-www-form-urlencoded`.
    package var isForm: Bool { essence == "application/x-www-form-urlencoded" }

    /// Whether content of this type is text.
    package var isText: Bool {
        let names = ["json", "xml", "javascript", "x-www-form-urlencoded"]
        return essence.hasPrefix("text/")
            || names.contains { essence == "application/" + $0 || essence.hasSuffix("+" + $0) }
    }

    /// Whether content of this type is not text, even if its bytes happen to be valid text.
    package var isBinary: Bool {
        if isText { return false }
        let names = ["octet-stream", "pdf", "zip", "gzip"]
        return ["image/", "audio/", "video/", "font/"].contains { essence.hasPrefix($0) }
            || names.contains { essence == "application/" + $0 }
    }

    /// Returns the last valid type in a field; the whole field if none is valid.
    ///
    /// If an earlier type is the same, its charset is kept (WHATWG Fetch, "extract a MIME type").
    package static func lastType(in field: String) -> String {
        var found: (type: String, parts: MediaTypeParts, charset: String?)?
        for type in field.listMembers(hidingBehindUnclosedQuotes: true) {
            let parts = MediaTypeParts(String(type))
            guard parts.isValid, parts.essence != "*/*" else { continue }
            let inherited = found?.parts.essence == parts.essence ? found?.charset : nil
            found = (String(type), parts, parts["charset"] ?? inherited)
        }
        guard let (type, parts, charset) = found else { return field }
        guard let charset, parts["charset"] == nil else { return type }
        // At the front, because an unclosed quote would hide it.
        return "\(parts.essence);charset=\(charset.asQuotedString)" + type.drop { $0 != ";" }
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && ByteSet.blanks.contains(UInt8(scalar.value))
    }

    private static func take(
        from rest: inout Substring.UnicodeScalarView,
        until isEnd: (Unicode.Scalar) -> Bool
    ) -> String {
        let taken = rest.prefix { !isEnd($0) }
        rest = rest[taken.endIndex...]
        return String(taken)
    }

    /// Takes an unquoted value; spaces before it are part of it.
    private static func takePlain(from rest: inout Substring.UnicodeScalarView) -> String {
        var value = take(from: &rest) { $0 == ";" }.unicodeScalars
        while let last = value.last, isBlank(last) { value.removeLast() }
        return String(value)
    }
}
