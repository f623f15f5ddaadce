extension FixedWidthInteger where Self: UnsignedInteger {
    /// All digits, leading zeros too, in lower case.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}

extension Sequence<UInt8> {
    /// Two digits a byte, in lower case.
    package var hexadecimal: String { map(\.hexadecimal).joined() }
}
