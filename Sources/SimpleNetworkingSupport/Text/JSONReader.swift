/// Reads JSON from bytes (RFC 8259), and rejects everything else.
///
/// Foundation's reader is missing from FoundationEssentials, and a decoder would try one type after another.
struct JSONReader {
    /// Each level takes space on the stack, which other threads than the main one have little of.
    private static let maxDepth = 128

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Returns the only value; nil if there is anything else.
    mutating func readAll() -> JSONValue? {
        // A byte order mark may be ignored (RFC 8259 §8.1).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        guard let value = readValue(depth: 0) else { return nil }
        skipBlanks()
        return position == bytes.count ? value : nil
    }

    private mutating func readValue(depth: Int) -> JSONValue? {
        skipBlanks()
        guard depth <= Self.maxDepth, let first = next else { return nil }
        switch first {
        case UInt8(ascii: "{"): return readObject(depth)
        case UInt8(ascii: "["): return readList(depth)
        case UInt8(ascii: "\""): return readText().map { .text($0) }
        case UInt8(ascii: "t"): return takes("true") ? .flag(true) : nil
        case UInt8(ascii: "f"): return takes("false") ? .flag(false) : nil
        case UInt8(ascii: "n"): return takes("null") ? .null : nil
        default: return readNumber()
        }
    }

    private mutating func readObject(_ depth: Int) -> JSONValue? {
        var members: [String: JSONValue] = [:]
        let isComplete = readElements(closedBy: "}") { reader in
            reader.skipBlanks()
            guard let name = reader.readText() else { return false }
            reader.skipBlanks()
            guard reader.takes(":"), let value = reader.readValue(depth: depth + 1) else { return false }
            members[name] = value
            return true
        }
        return isComplete ? .object(members) : nil
    }

    private mutating func readList(_ depth: Int) -> JSONValue? {
        var values: [JSONValue] = []
        let isComplete = readElements(closedBy: "]") { reader in
            guard let value = reader.readValue(depth: depth + 1) else { return false }
            values.append(value)
            return true
        }
        return isComplete ? .list(values) : nil
    }

    /// Reads elements between commas up to a closing bracket.
    private mutating func readElements(
        closedBy end: StaticString,
        _ readElement: (inout JSONReader) -> Bool
    ) -> Bool {
        position += 1
        skipBlanks()
        if takes(end) { return true }
        repeat {
            guard readElement(&self) else { return false }
            skipBlanks()
        } while takes(",")
        return takes(end)
    }

    private mutating func readNumber() -> JSONValue? {
        let start = position
        _ = takes("-")
        if !takes("0") { guard skipDigits() else { return nil } }
        if takes(".") { guard skipDigits() else { return nil } }
        if takes("e") || takes("E") {
            if !takes("+") { _ = takes("-") }
            guard skipDigits() else { return nil }
        }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func readText() -> String? {
        guard takes("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(bytes: text, encoding: .utf8)
            case UInt8(ascii: "\\"):
                guard let scalar = readEscape() else { return nil }
                text += Character(scalar).utf8
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func readEscape() -> Unicode.Scalar? {
        guard let byte = next else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let unit = readUnit() else { return nil }
            guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
            guard takes("\\u"), let trail = readUnit(), UTF16.isTrailSurrogate(trail) else { return nil }
            return Unicode.Scalar(0x1_0000 + (UInt32(unit - 0xD800) << 10 | UInt32(trail - 0xDC00)))
        default: return nil
        }
    }

    /// Reads the four digits of an escape.
    private mutating func readUnit() -> UInt16? {
        guard position + 4 <= bytes.count else { return nil }
        let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
        position += 4
        return digits.isMade(of: "0123456789abcdefABCDEF") ? UInt16(digits, radix: 16) : nil
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, ByteSet.blanks.contains(byte) { position += 1 }
    }

    /// Skips digits; returns whether there was one.
    private mutating func skipDigits() -> Bool {
        let start = position
        while let byte = next, ByteSet.digits.contains(byte) { position += 1 }
        return position > start
    }

    /// Skips a word if it comes next; returns whether it did.
    private mutating func takes(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard position + count <= bytes.count,
            UnsafeBufferPointer(start: word.utf8Start, count: count).elementsEqual(bytes[position..<position + count])
        else { return false }
        position += count
        return true
    }
}
