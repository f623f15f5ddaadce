extension HTTPHeaders {
    /// The type of the content, nil without the field.
    ///
    /// Of several the last valid one counts, with the charset of an earlier one if that is of the same type (WHATWG Fetch,
    /// "extract a MIME type").
    var contentType: MediaType? {
        guard let field = self["Content-Type"] else { return nil }
        var found: (type: String, parts: MediaTypeParts, charset: String?)?
        for type in field.listMembers(hidingBehindUnclosedQuotes: true) {
            let parts = MediaTypeParts(String(type))
            guard parts.isValid, parts.essence != "*/*" else { continue }
            let inherited = found?.parts.essence == parts.essence ? found?.charset : nil
            found = (String(type), parts, parts["charset"] ?? inherited)
        }
        guard let (type, parts, charset) = found else { return MediaType(field) }
        guard let charset, parts["charset"] == nil else { return MediaType(type) }
        let quoted = charset.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        // In front, since an unclosed quote would hide it.
        return MediaType("\(parts.essence);charset=\"\(quoted)\"" + type.drop { $0 != ";" })
    }
}

extension String {
    /// Takes a list apart at its commas, but not at those within quotes (RFC 9110 §5.6.1).
    ///
    /// - Parameter hidesRest: Whether a quote without a second one hides the commas up to the end. If not, quotes mean
    ///   nothing from there on.
    /// - Returns: The members as they stand between the commas.
    func listMembers(hidingBehindUnclosedQuotes hidesRest: Bool) -> [Substring] {
        let scalars = unicodeScalars
        var members: [Substring] = []
        var start = scalars.startIndex
        var index = start
        var mayBeQuoted = true
        while index < scalars.endIndex {
            if mayBeQuoted, scalars[index] == "\"" {
                if let end = endOfQuote(from: index) { index = end } else { mayBeQuoted = false }
                if !mayBeQuoted, hidesRest { break }
            } else if scalars[index] == "," {
                members.append(self[start..<index])
                start = scalars.index(after: index)
            }
            index = scalars.index(after: index)
        }
        return members + [self[start...]]
    }

    /// The place of the second quote, or nil if there is none.
    private func endOfQuote(from start: Index) -> Index? {
        var isEscaped = false
        return unicodeScalars[start...].dropFirst().firstIndex { scalar in
            defer { isEscaped = !isEscaped && scalar == "\\" }
            return scalar == "\"" && !isEscaped
        }
    }
}
