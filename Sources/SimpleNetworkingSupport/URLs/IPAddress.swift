/// An IPv4 or IPv6 address, compared by its bytes, since an IPv6 address can be written in several ways (RFC 5952).
package struct IPAddress: Hashable, Sendable {
    /// The 4 or 16 bytes, in the order of the network.
    package let bytes: [UInt8]

    /// Reads four decimal numbers, or an IPv6 address without brackets and zone; nil for anything else.
    package init?(_ text: String) {
        guard let bytes = text.utf8.contains(UInt8(ascii: ":")) ? Self.six(text[...]) : Self.four(text[...]) else {
            return nil
        }
        self.bytes = bytes
    }

    /// Returns whether the first bits of two addresses of the same version are equal.
    package func shares(_ bits: Int, with other: IPAddress) -> Bool {
        guard bytes.count == other.bytes.count, (0...bytes.count * 8).contains(bits) else { return false }
        let whole = bits / 8
        guard bytes.prefix(whole) == other.bytes.prefix(whole) else { return false }
        let rest = bits % 8
        return rest == 0 || (bytes[whole] ^ other.bytes[whole]) >> (8 - UInt8(rest)) == 0
    }

    private static func four(_ text: Substring) -> [UInt8]? {
        let numbers = text.pieces(between: ".", keepsEmpty: true).map { piece -> UInt8? in
            guard String(piece).isNumber, piece == "0" || piece.utf8.first != UInt8(ascii: "0") else { return nil }
            return UInt8(String(piece))
        }
        let bytes = numbers.compactMap(\.self)
        return numbers.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func six(_ text: Substring) -> [UInt8]? {
        let halves = text.pieces(around: "::").map(String.init)
        guard halves.count <= 2 else { return nil }
        guard halves.count == 2 else {
            return groups(halves[0], mayEndInFour: true).flatMap { $0.count == 16 ? $0 : nil }
        }
        guard let first = groups(halves[0], mayEndInFour: false), let last = groups(halves[1], mayEndInFour: true)
        else { return nil }
        let zeros = 16 - first.count - last.count
        return zeros >= 2 ? first + [UInt8](repeating: 0, count: zeros) + last : nil
    }

    /// Reads groups of up to four hexadecimal digits; the last one may be an IPv4 address.
    private static func groups(_ text: String, mayEndInFour: Bool) -> [UInt8]? {
        if text.isEmpty { return [] }
        var bytes: [UInt8] = []
        let groups = text[...].pieces(between: ":", keepsEmpty: true)
        for (index, group) in groups.enumerated() {
            if mayEndInFour, index == groups.count - 1, let four = four(group) { return bytes + four }
            guard (1...4).contains(group.utf8.count), String(group).isMade(of: "0123456789abcdefABCDEF"),
                let number = UInt16(group, radix: 16)
            else { return nil }
            bytes += [UInt8(number >> 8), UInt8(number & 255)]
        }
        return bytes
    }
}
