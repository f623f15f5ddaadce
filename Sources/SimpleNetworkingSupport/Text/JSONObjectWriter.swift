/// Writes dictionaries, arrays and fragments as JSON with sorted keys, and reports values that JSON can't represent.
///
/// `JSONSerialization` traps on such values, and checking them first costs more than writing.
package struct JSONObjectWriter {
    package static func data(of object: Any?) throws(UnwritableContent) -> Data {
        var writer = JSONObjectWriter()
        try writer.write(object as Any)
        return Data(writer.output.bytes)
    }

    /// The same depth that `JSONSerialization` reads.
    private static let maxDepth = 512

    private var output = JSONTextWriter()
    private var path: [String] = []

    private mutating func write(_ value: Any) throws(UnwritableContent) {
        if type(of: value) is AnyClass { return try write(object: value) }
        switch value {
        case let text as String: output.write(text)
        case let flag as Bool: output.bytes += flag ? "true".utf8 : "false".utf8
        case let number as Int: output.bytes += number.description.utf8
        case let number as Double: try write(number, number.description)
        case let members as [String: Any]: try write(members)
        case let elements as [Any]: try write(elements)
        case let number as any BinaryInteger: output.bytes += "\(number)".utf8
        case let number as any BinaryFloatingPoint: try write(Double(number), "\(number)")
        case let number as Decimal where number.isFinite: output.bytes += number.description.utf8
        case let optional as any OptionalValue:
            if let wrapped = optional.wrapped { try write(wrapped) } else { output.bytes += "null".utf8 }
        case is [AnyHashable: Any]: throw refusal("has keys that are not text")
        default: throw refusal("is a \(type(of: value)), which JSON has no form for")
        }
    }

    /// Reads Foundation's classes with Foundation, because Swift's own casts would read the number 1 as true.
    private mutating func write(object: Any) throws(UnwritableContent) {
        switch Platform.foundation?.plain(object) {
        case .null?: output.bytes += "null".utf8
        case .text(let text)?: output.write(text)
        case .number(let text?)?: output.bytes += text.utf8
        case .number(nil)?: throw refusal("is \(object), which JSON has no form for")
        case .list(let elements)?: try write(elements)
        case .object(let members?)?: try write(members)
        case .object(nil)?: throw refusal("has keys that are not text")
        case nil: throw refusal("is a \(type(of: object)), which JSON has no form for")
        }
    }

    private mutating func write(_ members: [String: Any]) throws(UnwritableContent) {
        try checkDepth()
        output.bytes.append(UInt8(ascii: "{"))
        for (index, (name, value)) in members.ordered(by: \.key).enumerated() {
            if index > 0 { output.bytes.append(UInt8(ascii: ",")) }
            output.write(name)
            output.bytes.append(UInt8(ascii: ":"))
            try write(value, at: name)
        }
        output.bytes.append(UInt8(ascii: "}"))
    }

    private mutating func write(_ elements: [Any]) throws(UnwritableContent) {
        try checkDepth()
        output.bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { output.bytes.append(UInt8(ascii: ",")) }
            try write(element, at: "\(index)")
        }
        output.bytes.append(UInt8(ascii: "]"))
    }

    private mutating func write(_ value: Any, at place: String) throws(UnwritableContent) {
        path.append(place)
        try write(value)
        path.removeLast()
    }

    private mutating func write(_ number: Double, _ text: String) throws(UnwritableContent) {
        guard number.isFinite else { throw refusal("is \(number), which JSON has no form for") }
        output.write(number: text)
    }

    private func checkDepth() throws(UnwritableContent) {
        guard path.count < Self.maxDepth else { throw refusal("is nested too deeply") }
    }

    private func refusal(_ words: String) -> UnwritableContent {
        let place = path.isEmpty ? "the content" : "the value at \(path.prefix(20).joined(separator: "."))"
        return UnwritableContent(reason: "\(place) \(words)")
    }
}

/// Describes why content can't be written.
package struct UnwritableContent: Error {
    /// The problem, as a sentence without a full stop.
    package let reason: String

    package init(reason: String) { self.reason = reason }
}

/// Unwraps and creates optionals whose type is not known.
package protocol OptionalValue {
    static var empty: Self { get }
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    package static var empty: Self { nil }
    package var wrapped: Any? { map { $0 as Any } }
}
