import SimpleNetworkingSupport

/// Indicates that text is not a structured field, which is then ignored entirely (RFC 9651 §4.2).
struct NoStructuredField: Error {}

/// Reads the bytes of a structured field, and its bare items (RFC 9651 §4.2).
struct StructuredFieldParser {
    private let bytes: [UInt8]
    private var index = 0

    static let keyStart = ByteSet("abcdefghijklmnopqrstuvwxyz*")
    static let keyBytes = ByteSet("abcdefghijklmnopqrstuvwxyz0123456789_-.*")
    private static let tokenBytes = ByteSet.lettersAndDigits.union("!#$%&'*+-.^_`|~:/")
    private static let base64Bytes = ByteSet.lettersAndDigits.union("+/=")

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { index == bytes.count }
    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func skip(_ isSkipped: (UInt8) -> Bool) { _ = read(isSkipped) }

    mutating func read(_ isRead: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = index
        while let byte = next, isRead(byte) { index += 1 }
        return bytes[start..<index]
    }

    func text(of bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Takes a mark if it is next.
    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: mark) else { return false }
        index += 1
        return true
    }

    mutating func bareItem() throws(NoStructuredField) -> StructuredField.BareItem {
        switch next {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: ":"): return .bytes(try byteSequence())
        case UInt8(ascii: "?"): return .boolean(try boolean())
        case UInt8(ascii: "@"): return .date(try date())
        case UInt8(ascii: "%"): return .displayString(try displayString())
        case let byte? where byte == UInt8(ascii: "-") || ByteSet.digits.contains(byte): return try number()
        case let byte? where byte == UInt8(ascii: "*") || ByteSet.letters.contains(byte):
            return .token(text(of: read { Self.tokenBytes.contains($0) }))
        default: throw NoStructuredField()
        }
    }

    /// Reads at most 15 digits, or 12 before and 3 after the decimal point.
    private mutating func number() throws(NoStructuredField) -> StructuredField.BareItem {
        let sign: Int64 = take("-") ? -1 : 1
        let whole = text(of: read { ByteSet.digits.contains($0) })
        guard !whole.isEmpty else { throw NoStructuredField() }
        guard take(".") else {
            guard whole.utf8.count <= 15, let number = Int64(whole) else { throw NoStructuredField() }
            return .integer(sign * number)
        }
        let fraction = text(of: read { ByteSet.digits.contains($0) })
        guard whole.utf8.count <= 12, (1...3).contains(fraction.utf8.count), let number = Double("\(whole).\(fraction)")
        else { throw NoStructuredField() }
        return .decimal(Double(sign) * number)
    }

    private mutating func string() throws(NoStructuredField) -> String {
        var text: [UInt8] = []
        index += 1
        while let byte = next {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = next, escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else {
                    throw NoStructuredField()
                }
                text.append(escaped)
                index += 1
            case 0x20...0x7E: text.append(byte)
            default: throw NoStructuredField()
            }
        }
        throw NoStructuredField()
    }

    private mutating func byteSequence() throws(NoStructuredField) -> Data {
        index += 1
        var text = text(of: read { Self.base64Bytes.contains($0) })
        guard take(":") else { throw NoStructuredField() }
        // Padding may be missing.
        while !text.hasSuffix("="), text.utf8.count % 4 != 0 { text += "=" }
        guard let data = Data(base64Encoded: text) else { throw NoStructuredField() }
        return data
    }

    private mutating func boolean() throws(NoStructuredField) -> Bool {
        index += 1
        if take("1") { return true }
        guard take("0") else { throw NoStructuredField() }
        return false
    }

    private mutating func date() throws(NoStructuredField) -> Int64 {
        index += 1
        guard case .integer(let seconds) = try number() else { throw NoStructuredField() }
        return seconds
    }

    /// Reads UTF-8 whose non-ASCII bytes are written as `%c3`.
    private mutating func displayString() throws(NoStructuredField) -> String {
        var text: [UInt8] = []
        index += 1
        guard take("\"") else { throw NoStructuredField() }
        while let byte = next {
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let valid = String(data: Data(text), encoding: .utf8) else { throw NoStructuredField() }
                return valid
            case UInt8(ascii: "%"):
                guard let high = hexDigit(), let low = hexDigit() else { throw NoStructuredField() }
                text.append(high << 4 | low)
            case 0x20...0x7E: text.append(byte)
            default: throw NoStructuredField()
            }
        }
        throw NoStructuredField()
    }

    private mutating func hexDigit() -> UInt8? {
        guard let byte = next else { return nil }
        index += 1
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): return byte - UInt8(ascii: "a") + 10
        default: return nil
        }
    }
}
