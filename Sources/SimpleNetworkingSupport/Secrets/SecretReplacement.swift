/// Hides any number of secrets in a text, in one pass, also where they are encoded for a URL or for JSON.
package struct SecretReplacement: Sendable {
    /// By their first byte, longest first: one may begin with another.
    private var secrets: [UInt8: [[UInt8]]] = [:]

    package init(_ texts: [String]) {
        for text in Set(texts).sorted(by: { $0.utf8.count > $1.utf8.count })
        where text.utf8.count >= 4 && !Self.plainTexts.contains(text) {
            if let first = text.utf8.first { secrets[first, default: []].append(Array(text.utf8)) }
        }
        // The mark itself stays as it is, even if “secret” is a secret.
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

    /// A beginning of a secret that is so long is hidden as well: a text that repeats many costs no more time.
    private static let longPart = 64

    /// The end of what a secret and the text have in common here; each of its bytes may be encoded.
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

    /// The byte that is encoded here as `%41`, as `+` or behind a backslash, and the length of that; nil for all
    /// others.
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
    /// Values that forms and cookies have under secret names, but that are no secrets.
    private static let plainTexts: Set<String> = ["true", "false", "null", "none", "undefined"]
}
