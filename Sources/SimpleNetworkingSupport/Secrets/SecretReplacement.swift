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
        let encoded = Self.decoded(index, in: bytes).flatMap { secrets[$0.byte] } ?? []
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
            } else if let (decoded, length) = decoded(index, in: bytes), decoded == byte {
                index += length
            } else {
                return (index, false)
            }
        }
        return (index, true)
    }

    /// Returns the byte encoded here as `%41`, as `+` or after a backslash, and the encoding's length.
    ///
    /// Returns nil for all other bytes.
    private static func decoded(_ index: Int, in bytes: [UInt8]) -> (byte: UInt8, length: Int)? {
        guard index < bytes.count else { return nil }
        switch bytes[index] {
        case UInt8(ascii: "+"): return (UInt8(ascii: " "), 1)
        case UInt8(ascii: "\\") where index + 1 < bytes.count: return (bytes[index + 1], 2)
        case UInt8(ascii: "%") where index + 2 < bytes.count:
            let digits = String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self)
            return UInt8(digits, radix: 16).map { ($0, 3) }
        default: return nil
        }
    }

    private static let mark = Array(Redaction.mark.utf8)
    /// Values under secret names in forms and cookies that are not secrets.
    private static let plainTexts: Set<String> = ["true", "false", "null", "none", "undefined"]
}
