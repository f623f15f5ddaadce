extension FixedWidthInteger where Self: UnsignedInteger {
    /// All digits in lowercase, including leading zeros.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}

extension Sequence<UInt8> {
    /// Two lowercase digits for each byte.
    package var hexadecimal: String { map(\.hexadecimal).joined() }
}
