/// Percent-encodes text (RFC 3986 §2).
package enum PercentEncoding {
    /// Letters, digits, `-`, `.`, `_` and `~`, which never need encoding.
    package static let unreserved = ByteSet.lettersAndDigits.union(ByteSet("-._~"))
    /// The characters allowed in a path, including `/`, which Foundation's `URL` can hold (RFC 3986 §3.3).
    package static let path = unreserved.union(ByteSet("!$&'()*+,;=:@/"))
    /// The characters allowed in a query, which Foundation's `URL` can hold (RFC 3986 §3.4).
    package static let query = path.union(ByteSet("?"))
    /// The characters that browsers send unencoded in a path (WHATWG URL §1.3); a lone `%` is one of them.
    ///
    /// Browsers read `\` as `/`. Here it is encoded, because it could lead out of the base URL.
    package static let sentPath = path.union(ByteSet("%[]|"))
    /// The characters that browsers send unencoded in a query (WHATWG URL §1.3), and `'`.
    package static let sentQuery = query.union(ByteSet("%[]|{}^`\\"))
    /// All visible characters, for URLs that a server has written.
    package static let visible = sentQuery.union(ByteSet("\"<>"))

    /// Encodes all bytes not in `kept`; with `keepsTriplets`, a `%` before two hex digits is kept too.
    package static func encode(_ text: String, keeping kept: ByteSet, keepsTriplets: Bool = false) -> String {
        var text = text
        guard let first = text.withUTF8({ bytes in bytes.firstIndex { !kept.contains($0) } }) else { return text }
        return text.withUTF8 { bytes in
            String(unsafeUninitializedCapacity: bytes.count + 2 * (bytes.count - first)) { output in
                var end = 0
                func write(_ byte: UInt8) {
                    output[end] = byte
                    end += 1
                }
                for index in bytes.indices {
                    let byte = bytes[index]
                    if kept.contains(byte) || keepsTriplets && isTriplet(at: index, in: bytes) {
                        write(byte)
                    } else {
                        write(UInt8(ascii: "%"))
                        write(hexDigit(byte >> 4))
                        write(hexDigit(byte & 15))
                    }
                }
                return end
            }
        }
    }

    private static func isTriplet(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count
            && hexDigits.contains(bytes[index + 1]) && hexDigits.contains(bytes[index + 2])
    }

    private static let hexDigits = ByteSet("0123456789ABCDEFabcdef")

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

/// A set of ASCII bytes with a fast `contains`.
package struct ByteSet: Sendable, ExpressibleByStringLiteral {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    package init(_ text: StaticString) {
        text.withUTF8Buffer { for byte in $0 { insert(byte) } }
    }

    package init(stringLiteral text: StaticString) { self.init(text) }

    package func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: low >> UInt64(byte) & 1 == 1
        case 64..<128: high >> UInt64(byte - 64) & 1 == 1
        default: false
        }
    }

    package func union(_ other: ByteSet) -> ByteSet {
        var union = self
        union.low |= other.low
        union.high |= other.high
        return union
    }

    package func subtracting(_ other: ByteSet) -> ByteSet {
        var rest = self
        rest.low &= ~other.low
        rest.high &= ~other.high
        return rest
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
    }

    package static let letters: ByteSet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    package static let digits: ByteSet = "0123456789"
    package static let lettersAndDigits = letters.union(digits)
    /// The whitespace of JSON.
    package static let blanks: ByteSet = " \t\r\n"

    /// The control characters: the bytes below the space, and DEL.
    package static let controls: ByteSet = {
        var controls = ByteSet("\u{7F}")
        controls.low |= 0xFFFF_FFFF
        return controls
    }()
}
