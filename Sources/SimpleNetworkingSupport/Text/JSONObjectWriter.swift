/// Writes dictionaries, arrays and fragments as JSON with sorted keys, and reports values that JSON can't represent.
///
/// `JSONSerialization` traps on such values, and checking them first costs more than writing.
package struct JSONObjectWriter {
    package static func data(of object: Any?) throws(UnwritableContent) -> Data {
        var writer = JSONObjectWriter()
        try writer.write(object as Any)
        return Data(writer.output)
    }

    /// The same depth that `JSONSerialization` reads.
    private static let maxDepth = 512

    private var output: [UInt8] = []
    private var path: [String] = []

    private mutating func write(_ value: Any) throws(UnwritableContent) {
        if type(of: value) is AnyClass { return try write(object: value) }
        switch value {
        case let text as String: write(text: text)
        case let flag as Bool: output += flag ? "true".utf8 : "false".utf8
        case let number as Int: output += number.description.utf8
        case let number as Double: try write(number, number.description)
        case let members as [String: Any]: try write(members)
        case let elements as [Any]: try write(elements)
        case let number as any BinaryInteger: output += "\(number)".utf8
        case let number as any BinaryFloatingPoint: try write(Double(number), "\(number)")
        case let number as Decimal where number.isFinite: output += number.description.utf8
        case let optional as any OptionalValue:
            if let wrapped = optional.wrapped { try write(wrapped) } else { output += "null".utf8 }
        case is [AnyHashable: Any]: throw refusal("has keys that are not text")
        default: throw refusal("is a \(type(of: value)), which JSON has no form for")
        }
    }

    /// Uses Foundation's classes, because Swift's own casts would read the number 1 as true.
    private mutating func write(object: Any) throws(UnwritableContent) {
        switch object {
        case is NSNull: output += "null".utf8
        case let text as NSString: write(text: "\(text)")
        case let number as NSNumber:
            let fragment = try? JSONSerialization.data(withJSONObject: number, options: .fragmentsAllowed)
            guard number.doubleValue.isFinite, let fragment else {
                throw refusal("is \(number), which JSON has no form for")
            }
            output += fragment
        case is NSArray: try write(object as? [Any] ?? [])
        case is NSDictionary:
            guard let members = object as? [String: Any] else { throw refusal("has keys that are not text") }
            try write(members)
        default: throw refusal("is a \(type(of: object)), which JSON has no form for")
        }
    }

    private mutating func write(_ members: [String: Any]) throws(UnwritableContent) {
        try checkDepth()
        output.append(UInt8(ascii: "{"))
        for (index, (name, value)) in members.ordered(by: \.key).enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            write(text: name)
            output.append(UInt8(ascii: ":"))
            try write(value, at: name)
        }
        output.append(UInt8(ascii: "}"))
    }

    private mutating func write(_ elements: [Any]) throws(UnwritableContent) {
        try checkDepth()
        output.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            try write(element, at: "\(index)")
        }
        output.append(UInt8(ascii: "]"))
    }

    private mutating func write(_ value: Any, at place: String) throws(UnwritableContent) {
        path.append(place)
        try write(value)
        path.removeLast()
    }

    private mutating func write(_ number: Double, _ text: String) throws(UnwritableContent) {
        guard number.isFinite else { throw refusal("is \(number), which JSON has no form for") }
        output += text.hasSuffix(".0") ? text.utf8.dropLast(2)[...] : text.utf8[...]
    }

    private mutating func write(text: String) {
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
            case 0x0A: output += #"\n"#.utf8
            case 0x0D: output += #"\r"#.utf8
            case 0x09: output += #"\t"#.utf8
            case 0..<0x20:
                output += (byte < 16 ? #"\u000"# : #"\u00"#).utf8
                output += String(byte, radix: 16).utf8
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
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
