/// The parts of a media type, taken apart as browsers do (WHATWG MIME Sniffing §4.4).
struct MediaTypeParts {
    /// Type and subtype in lower case, such as `text/html`.
    let essence: String
    /// Whether type and subtype are there and are tokens: if not, a browser takes the whole for no media type.
    let isValid: Bool
    /// The parameters in order, their names in lower case; of one that comes twice the first counts.
    private(set) var parameters: [(name: String, value: String)] = []

    init(_ text: String) {
        var rest = Substring(text.trimmingCharacters(in: Self.blanks)).unicodeScalars
        let start = Self.take(from: &rest) { $0 == ";" }.trimmingCharacters(in: Self.blanks)
        let names = start.split(separator: "/", omittingEmptySubsequences: false)
        isValid = names.count == 2 && names.allSatisfy { String($0).isToken }
        essence = start.lowercased()
        var known: Set<String> = []
        // Each round begins at a semicolon.
        while rest.popFirst() != nil {
            rest = rest.drop(while: Self.blanks.contains)
            let name = Self.take(from: &rest) { $0 == ";" || $0 == "=" }
            guard rest.first == "=" else { continue }
            rest.removeFirst()
            let isQuoted = rest.first == "\""
            let value = isQuoted ? Self.takeQuoted(from: &rest) : Self.takePlain(from: &rest)
            // Nothing counts behind a quoted value.
            rest = rest.drop { $0 != ";" }
            guard isQuoted || !value.isEmpty, name.isToken,
                value.unicodeScalars.allSatisfy({ $0 == "\t" || (0x20...0xFF).contains($0.value) && $0.value != 0x7F }),
                known.insert(name.lowercased()).inserted
            else { continue }
            parameters.append((name.lowercased(), value))
        }
    }

    /// Gives the value of a parameter, whatever the case of its name; nil if there is none.
    subscript(name: String) -> String? { parameters.first { $0.name.isSameFieldName(as: name) }?.value }

    private static let blanks = CharacterSet(charactersIn: " \t\r\n")

    private static func take(
        from rest: inout Substring.UnicodeScalarView,
        until isEnd: (Unicode.Scalar) -> Bool
    ) -> String {
        let taken = rest.prefix { !isEnd($0) }
        rest = rest[taken.endIndex...]
        return String(taken)
    }

    /// Takes a value without quotes; blanks before it are a part of it.
    private static func takePlain(from rest: inout Substring.UnicodeScalarView) -> String {
        var value = take(from: &rest) { $0 == ";" }.unicodeScalars
        while let last = value.last, blanks.contains(last) { value.removeLast() }
        return String(value)
    }

    /// Takes what stands between quotes; what has no second one goes to the end.
    private static func takeQuoted(from rest: inout Substring.UnicodeScalarView) -> String {
        var value = String.UnicodeScalarView()
        rest.removeFirst()
        while let scalar = rest.popFirst(), scalar != "\"" {
            value.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
        }
        return String(value)
    }
}
