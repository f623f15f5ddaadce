// Finds and replaces text by its bytes. FoundationEssentials has no such methods, and the standard library's own are
// missing on older Apple systems.

extension StringProtocol {
    /// Returns the range of the first occurrence of other text; nil if there is none, or if the other text is empty.
    package func firstRange(of text: String) -> Range<Index>? {
        guard let first = text.utf8.first else { return nil }
        var rest = utf8[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: text.utf8) { return start..<rest.index(start, offsetBy: text.utf8.count) }
            rest.removeFirst()
        }
        return nil
    }

    /// Returns the pieces between all occurrences of other text, also empty ones.
    package func pieces(around text: String) -> [Substring] {
        var pieces: [Substring] = []
        var rest = Substring(self)
        while let found = rest.firstRange(of: text) {
            pieces.append(rest[..<found.lowerBound])
            rest = rest[found.upperBound...]
        }
        return pieces + [rest]
    }

    /// Returns the text with all occurrences of other text replaced.
    package func replacingAll(_ text: String, with replacement: String) -> String {
        pieces(around: text).joined(separator: replacement)
    }

    /// The text with its percent-encoded bytes decoded; nil if they aren't UTF-8, or if a `%` has no two digits.
    package var percentDecoded: String? {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        var output: [UInt8] = []
        var bytes = utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                output.append(byte)
                continue
            }
            guard let high = bytes.next().flatMap(hexValue), let low = bytes.next().flatMap(hexValue) else {
                return nil
            }
            output.append(high << 4 | low)
        }
        return String(bytes: output, encoding: .utf8)
    }
}

private func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
