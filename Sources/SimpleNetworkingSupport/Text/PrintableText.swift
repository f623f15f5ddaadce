// Text for people, as in errors and logs.

extension String {
    /// Returns the words in one line, without control characters, cut after `limit` characters.
    package func inOneLine(limit: Int) -> String {
        let words = split {
            $0.isWhitespace || $0.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
        }
        let line = words.joined(separator: " ")
        return line.count > limit ? line.prefix(limit) + "…" : line
    }
}

extension String {
    /// Returns the text with control characters, such as escapes of a terminal, and line separators replaced by `�`.
    package func withoutControlCharacters(except kept: String.UnicodeScalarView) -> String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: !kept.contains(scalar)
            default: false
            }
        }
        guard unicodeScalars.contains(where: isControl) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { isControl($0) ? "�" : $0 }))
    }
}

extension Error {
    /// The error's own message: the one for the user, or else its description.
    package var words: String { (self as? any LocalizedError)?.errorDescription ?? "\(self)" }
}
