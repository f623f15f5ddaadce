import Foundation

/// Indents JSON for people to read; names keep their order, and numbers their digits.
enum JSONIndentation {
    /// Returns nil for what is no JSON object or array.
    static func indented(_ data: Data) -> String? {
        guard (try? JSONSerialization.jsonObject(with: data)) != nil else { return nil }
        var text = ""
        var depth = 0
        var isInString = false
        var isEscaped = false
        // A bracket that waits for what follows: an empty object stays on one line.
        var isOpened = false

        func breakLine() { text += "\n" + String(repeating: "  ", count: depth) }

        for character in String(decoding: data, as: UTF8.self).unicodeScalars {
            if isInString {
                text.unicodeScalars.append(character)
                isInString = isEscaped || character != "\""
                isEscaped = !isEscaped && character == "\\"
                continue
            }
            if character.properties.isWhitespace || character == "\u{FEFF}" { continue }
            let isClosing = character == "}" || character == "]"
            if isClosing { depth -= 1 }
            if isOpened != isClosing { breakLine() }
            isOpened = character == "{" || character == "["
            if isOpened { depth += 1 }
            text.unicodeScalars.append(character)
            isInString = character == "\""
            if character == ":" { text += " " }
            if character == "," { breakLine() }
        }
        return text
    }
}
