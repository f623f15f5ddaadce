/// Finds what Foundation accepts in JSON, although it isn't JSON (RFC 8259).
package enum JSONSyntax {
    /// Returns the position of a comma before a closing bracket; nil if there is none.
    ///
    /// Foundation accepts it on some platforms and in some versions.
    package static func trailingComma(in data: Data) -> Int? {
        // Nearly all content has none, not even in a string.
        data.withUnsafeBytes { bytes in hasCandidate(bytes) ? search(bytes) : nil }
    }

    private static func hasCandidate(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while let index = rest.firstIndex(of: comma) {
            rest = rest[(index + 1)...]
            let next = rest.first { !ByteSet.blanks.contains($0) }
            if next == 0x5D || next == 0x7D { return true }
        }
        return false
    }

    private static func search(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var lastComma: Int?
        var isInString = false
        var isEscaped = false
        for (index, byte) in bytes.enumerated() {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): (isInString, lastComma) = (true, nil)
            case comma: lastComma = index
            case 0x20, 0x09, 0x0A, 0x0D: break
            case 0x5D, 0x7D: if let lastComma { return lastComma }
            default: lastComma = nil
            }
        }
        return nil
    }

    private static let comma = UInt8(ascii: ",")
}
