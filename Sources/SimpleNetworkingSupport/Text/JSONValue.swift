/// A JSON value (RFC 8259).
package enum JSONValue: Equatable, Sendable {
    case null
    case flag(Bool)
    /// A number, as it is written.
    case number(String)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Reads JSON in UTF-8, UTF-16 or UTF-32, also a fragment such as `true`; nil if it isn't JSON.
    package init?(_ data: Data) {
        var data = data
        if let label = Self.wideEncoding(of: data) {
            guard let text = TextEncoding.text(of: data, label: label) else { return nil }
            data = Data(text.utf8)
        }
        let value = data.withUnsafeBytes { bytes -> JSONValue? in
            var reader = JSONReader(bytes.bindMemory(to: UInt8.self))
            return reader.readAll()
        }
        guard let value else { return nil }
        self = value
    }

    /// Reads JSON, also a fragment such as `true`; nil if the text isn't JSON.
    package init?(_ text: String) { self.init(Data(text.utf8)) }

    /// Returns the label of an encoding of two or four bytes a unit; nil for others.
    ///
    /// The first characters of JSON are ASCII, so its zeros show the encoding (RFC 4627 §3).
    package static func wideEncoding(of data: Data) -> String? {
        let start = [UInt8](data.prefix(4))
        if start == [0xFF, 0xFE, 0, 0] { return "utf-32le" }
        if start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE]) { return "utf-16" }
        if start.starts(with: [0, 0]) { return "utf-32be" }
        guard start.count > 1, start[0] == 0 || start[1] == 0 else { return nil }
        if start[0] == 0 { return "utf-16be" }
        return start.count == 4 && start[2] == 0 && start[3] == 0 ? "utf-32le" : "utf-16le"
    }

    /// The text; nil for any other value.
    package var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The number as an integer; nil for any other value.
    package var integer: Int? {
        guard case .number(let digits) = self else { return nil }
        return Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
    }

    /// The members of an object; nil for any other value.
    package var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// The value as JSON that is the same for equal values: with sorted names, and numbers in their shortest form.
    package var canonicalText: String {
        var writer = JSONTextWriter()
        write(to: &writer)
        return writer.text
    }

    private func write(to writer: inout JSONTextWriter) {
        switch self {
        case .null: writer.bytes += "null".utf8
        case .flag(let flag): writer.bytes += flag ? "true".utf8 : "false".utf8
        case .number(let digits): writer.write(number: Self.shortest(digits))
        case .text(let text): writer.write(text)
        case .list(let values): writer.write(values, "[", "]") { $0.write(to: &$1) }
        case .object(let members):
            writer.write(members.ordered(by: \.key), "{", "}") { member, writer in
                writer.write(member.key)
                writer.bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &writer)
            }
        }
    }

    /// Returns a number as `canonicalText` has it.
    static func shortest(_ digits: String) -> String {
        if let number = Int64(digits) { return "\(number)" }
        if let number = UInt64(digits) { return "\(number)" }
        guard let number = Double(digits), number.isFinite else { return digits }
        return number.description
    }
}

/// Writes the texts and lists of JSON.
struct JSONTextWriter {
    var bytes: [UInt8] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func write<Elements: Collection>(
        _ elements: Elements,
        _ start: Unicode.Scalar,
        _ end: Unicode.Scalar,
        _ element: (Elements.Element, inout JSONTextWriter) -> Void
    ) {
        bytes.append(UInt8(ascii: start))
        for (index, each) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            element(each, &self)
        }
        bytes.append(UInt8(ascii: end))
    }

    /// Writes a string with its quotes.
    mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0A: bytes += #"\n"#.utf8
            case 0x0D: bytes += #"\r"#.utf8
            case 0x09: bytes += #"\t"#.utf8
            case 0..<0x20:
                bytes += (byte < 16 ? #"\u000"# : #"\u00"#).utf8
                bytes += String(byte, radix: 16).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a number without a zero after its point.
    mutating func write(number text: String) { bytes += text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...] }
}
