/// Hides any number of secrets in a text in one pass, even where they are encoded for a URL or for JSON.
package struct SecretReplacement: Sendable {
    /// The secrets by their first byte, longest first, because one may begin with another.
    private var secrets: [UInt8: [[UInt8]]] = [:]

    package init(_ texts: [String]) {
        for text in Set(texts).ordered(by: { -$0.utf8.count })
        where text.utf8.count >= 4 && !Self.plainTexts.contains(text) {
            if let first = text.utf8.first { secrets[first, default: []].append(Array(text.utf8)) }
        }
        // The mark itself stays unchanged, even if “secret” is a secret.
        if !secrets.isEmpty { secrets[Self.mark[0], default: []].insert(Self.mark, at: 0) }
    }

    package func text(of text: String) -> String {
        if secrets.isEmpty { return text }
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if let end = end(ofSecretAt: index, in: bytes) {
                output += Self.mark
                index = end
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private func end(ofSecretAt index: Int, in bytes: [UInt8]) -> Int? {
        let plain = secrets[bytes[index]] ?? []
        let encoded = Self.encodings(at: index, in: bytes).flatMap { secrets[$0.byte] ?? [] }
        var longest: Int?
        for secret in plain + encoded {
            let (end, isWhole) = Self.end(of: secret, at: index, in: bytes)
            if isWhole { return end }
            if end - index >= Self.longPart { longest = max(end, longest ?? end) }
        }
        return longest
    }

    /// The length from which the beginning of a secret is hidden too.
    ///
    /// It keeps a text that repeats many from taking more time.
    private static let longPart = 64

    /// Returns the end of the part that a secret and the text share here; each of its bytes may be encoded.
    private static func end(of secret: [UInt8], at start: Int, in bytes: [UInt8]) -> (Int, isWhole: Bool) {
        var index = start
        for byte in secret {
            if index < bytes.count, bytes[index] == byte {
                index += 1
            } else if let encoding = encodings(at: index, in: bytes).first(where: { $0.byte == byte }) {
                index += encoding.length
            } else {
                return (index, false)
            }
        }
        return (index, true)
    }

    /// A byte that is written as several, or as another.
    private struct Encoding {
        let byte: UInt8
        let length: Int
    }

    /// Returns the bytes that may be encoded here, as `%41`, as `+`, or after a backslash.
    private static func encodings(at index: Int, in bytes: [UInt8]) -> [Encoding] {
        guard index < bytes.count else { return [] }
        switch bytes[index] {
        case UInt8(ascii: "+"): return [Encoding(byte: UInt8(ascii: " "), length: 1)]
        case UInt8(ascii: "%"):
            return number(of: 2, from: index + 1, in: bytes).map { [Encoding(byte: UInt8($0), length: 3)] } ?? []
        case UInt8(ascii: "\\") where index + 1 < bytes.count:
            let escaped = bytes[index + 1]
            var encodings = [Encoding(byte: escaped, length: 2)]
            if let control = controls[escaped] { encodings.append(Encoding(byte: control, length: 2)) }
            if escaped == UInt8(ascii: "u"), let unit = number(of: 4, from: index + 2, in: bytes), unit < 0x80 {
                encodings.append(Encoding(byte: UInt8(unit), length: 6))
            }
            return encodings
        default: return []
        }
    }

    /// Returns the number that these hexadecimal digits represent.
    private static func number(of digits: Int, from start: Int, in bytes: [UInt8]) -> Int? {
        guard start + digits <= bytes.count else { return nil }
        let text = String(decoding: bytes[start..<(start + digits)], as: UTF8.self)
        // Without this, a sign would count as a digit.
        return text.isMade(of: "0123456789abcdefABCDEF") ? Int(text, radix: 16) : nil
    }

    /// The control characters that JSON writes as a letter after a backslash (RFC 8259 §7).
    private static let controls: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "t"): 0x09, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "f"): 0x0C,
        UInt8(ascii: "r"): 0x0D,
    ]

    private static let mark = Array(Redaction.mark.utf8)
    /// Values under secret names in forms and cookies that are not secrets.
    private static let plainTexts: Set<String> = ["true", "false", "null", "none", "undefined"]
}
