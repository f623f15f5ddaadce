/// Hides the values of secret names in any text.
///
/// The forms are `token=…`, `Token: …`, `"token": "…"`, `<token>…</token>` and `<a token="…">`.
package struct PlainRedaction {
    private let bytes: [UInt8]
    private var index = 0
    private var output: [UInt8] = []
    /// The last name, and whether it is quoted, or first on its line.
    private var name: ArraySlice<UInt8> = []
    private var isNameQuoted = false
    private var isNameFirst = true
    private var isLineEmpty = true
    /// The element whose start tag is being read.
    private var element: ArraySlice<UInt8>?
    /// Whether a `code` is a secret in this text.
    private lazy var hasOAuthName = bytes.split { !Self.nameBytes.contains($0) }.contains {
        Redaction.isOAuth(member: text(of: $0))
    }

    package static func text(of text: String) -> String {
        var redaction = PlainRedaction(bytes: Array(text.utf8))
        redaction.run()
        return String(decoding: redaction.output, as: UTF8.self)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func run() {
        while index < bytes.count {
            switch bytes[index] {
            case let byte where Self.nameBytes.contains(byte): takeName()
            case UInt8(ascii: "<"): beginTag()
            case UInt8(ascii: ">") where element != nil: endTag()
            case UInt8(ascii: "="):
                // An attribute is a member; otherwise, this may be the query of a URL.
                let isSecret = element == nil ? Redaction.isSecret(parameter: text(of: name)) : isSecret(member: name)
                hideValue(if: isSecret, to: Self.valueEnds)
            case UInt8(ascii: "/") where hidesUser(), UInt8(ascii: "\\") where hidesUser(): break
            case UInt8(ascii: ":"):
                // In the middle of a sentence, a word such as “code” is not a name.
                let isSecret =
                    isNameQuoted || isNameFirst ? isSecret(member: name) : Redaction.hasSecretWord(text(of: name))
                hideValue(if: isSecret, to: isNameQuoted ? Self.memberEnds : Self.lineEnds)
            case let byte: pass(byte)
            }
        }
    }

    private mutating func takeName() {
        let start = index
        while index < bytes.count, Self.nameBytes.contains(bytes[index]) { index += 1 }
        name = bytes[start..<index]
        isNameQuoted = start > 0 && Self.isQuote(bytes[start - 1])
        isNameFirst = isLineEmpty
        isLineEmpty = false
        output += Redaction.isJSONWebToken(name) ? ArraySlice(Redaction.mark.utf8) : name
    }

    /// Copies a byte that is neither part of a name nor follows one.
    private mutating func pass(_ byte: UInt8) {
        if byte == UInt8(ascii: "\n") { isLineEmpty = true }
        // A quote or blanks may follow a name.
        if !Self.isQuote(byte), !Self.isBlank(byte) { name = [] }
        output.append(byte)
        index += 1
    }

    // MARK: Values

    private mutating func hideValue(if isSecret: Bool, to ends: ByteSet) {
        output.append(bytes[index])
        index += 1
        name = []
        guard isSecret || element != nil else { return }
        let start = bytes[index...].firstIndex { !Self.isBlank($0) } ?? bytes.endIndex
        guard start < bytes.endIndex, isSecret || Self.isQuote(bytes[start]) else { return }
        output += bytes[index..<start]
        index = start
        if Self.isQuote(bytes[start]) {
            output.append(bytes[start])
            index += 1
            let end = end(ofQuoted: bytes[start])
            if isSecret { hide(to: end) } else { takeAttribute(to: end) }
        } else {
            hide(to: bytes[index...].firstIndex { ends.contains($0) } ?? bytes.endIndex)
        }
    }

    private mutating func hide(to end: Int) {
        if end > index { output += Redaction.mark.utf8 }
        index = end
    }

    /// Hides the secrets in an attribute's value, such as a URL; no markup in it ends the element's tag.
    ///
    /// A value contains no more quotes of its own kind, so nesting isn't deep.
    private mutating func takeAttribute(to end: Int) {
        var redaction = PlainRedaction(bytes: Array(bytes[index..<end]))
        redaction.run()
        output += redaction.output
        index = end
    }

    /// Returns the index of the next such quote without a backslash before it.
    private func end(ofQuoted quote: UInt8) -> Int {
        var end = index
        while end < bytes.count, bytes[end] != quote { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(end, bytes.count)
    }

    /// Hides a URL's user info, as in `https://user:password@host`; returns false if there is none here.
    private mutating func hidesUser() -> Bool {
        guard let user = Redaction.user(afterSlashesAt: index, in: bytes) else { return false }
        output += bytes[index..<user.lowerBound]
        index = user.lowerBound
        hide(to: user.upperBound)
        name = []
        return true
    }

    // MARK: Markup

    private mutating func beginTag() {
        pass(bytes[index])
        let end =
            bytes[index...].firstIndex { !Self.nameBytes.contains($0) && $0 != UInt8(ascii: ":") } ?? bytes.endIndex
        guard end > index else { return }
        element = bytes[index..<end]
        output += bytes[index..<end]
        index = end
        isLineEmpty = false
    }

    /// Hides all content of a secret element, including other elements.
    private mutating func endTag() {
        let isEmpty = bytes[index - 1] == UInt8(ascii: "/")
        let element = element ?? []
        self.element = nil
        pass(bytes[index])
        let local = element.split(separator: UInt8(ascii: ":")).last ?? []
        guard !isEmpty, isSecret(member: local) else { return }
        let closing = Array("</".utf8) + element
        hide(to: bytes[index...].indices.first { bytes[$0...].starts(with: closing) } ?? bytes.endIndex)
    }

    private mutating func isSecret(member name: ArraySlice<UInt8>) -> Bool {
        Redaction.isSecret(member: text(of: name), isBesideOAuth: hasOAuthName)
    }

    private func text(of name: ArraySlice<UInt8>) -> String { String(decoding: name, as: UTF8.self) }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    private static let nameBytes = ByteSet.lettersAndDigits.union(ByteSet("_-.%"))
    private static let valueEnds = ByteSet("&;,\"'<>)}] \t\r\n")
    private static let memberEnds = ByteSet(",}] \t\r\n")
    private static let lineEnds = ByteSet("\"\r\n")
}
