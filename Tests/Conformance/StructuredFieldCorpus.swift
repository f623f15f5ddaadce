import Foundation
import SimpleNetworkingFeatureSupport

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Structured fields (RFC 9651), by the HTTP working group's own tests.
enum StructuredFieldCorpus {
    private static let names = [
        "binary", "boolean", "date", "dictionary", "display-string", "examples", "item", "key-generated",
        "large-generated", "list", "listlist", "number-generated", "number", "param-dict", "param-list",
        "param-listlist",
        "string-generated", "string", "token-generated", "token",
    ]

    static let corpus = Corpus(
        name: "Structured fields",
        files: names.map { "structured-fields/\($0).json" },
        count: 1591
    ) { data in
        try zip(names, data).flatMap { name, data in
            try rows(in: data).map { Corpus.Row(id: "\(name): \($0.name)", failure: $0.failure) }
        }
    }

    private static func rows(in data: Data) throws -> [(name: String, failure: String?)] {
        try JSONDecoder().decode([Line].self, from: data).map { row in
            let raw = row.raw.joined(separator: ", ")
            let read = read(raw, as: row.header_type)
            let isMet = read == nil ? row.must_fail ?? row.can_fail ?? false : row.mayBe(read, text(of: row.expected))
            return (row.name, isMet ? nil : "is \(read ?? "malformed")")
        }
    }

    private static func read(_ raw: String, as type: String) -> String? {
        switch type {
        case "item": StructuredField.item(raw).map(text(of:))
        case "list": StructuredField.list(raw).map { list($0.map(text(of:))) }
        default: StructuredField.dictionary(raw).map { list($0.map { list([quoted($0.name), text(of: $0.value)]) }) }
        }
    }

    private static func list(_ members: [String]) -> String { "[" + members.joined(separator: ",") + "]" }

    private static func quoted(_ text: String) -> String { text.debugDescription }

    private static func text(of value: StructuredField.Value) -> String {
        switch value {
        case .item(let item): text(of: item)
        case .innerList(let items, let parameters): list([list(items.map(text(of:))), text(of: parameters)])
        }
    }

    private static func text(of item: StructuredField.Item) -> String {
        list([text(of: item.value), text(of: item.parameters)])
    }

    private static func text(of parameters: [StructuredField.Parameter]) -> String {
        list(parameters.map { list([quoted($0.name), text(of: $0.value)]) })
    }

    private static func text(of item: StructuredField.BareItem) -> String {
        switch item {
        case .integer(let number): "\(Double(number))"
        case .decimal(let number): "\(number)"
        case .string(let text): quoted(text)
        case .token(let text): "token " + quoted(text)
        case .bytes(let data): "binary " + quoted(base32(data))
        case .boolean(let value): "\(value)"
        case .date(let seconds): "date \(Double(seconds))"
        case .displayString(let text): "displaystring " + quoted(text)
        }
    }

    /// The corpus's own way to write values, in the same text.
    private static func text(of value: Value?) -> String {
        switch value {
        case .array(let values): list(values.map { text(of: $0) })
        case .object(let members): "\(members["__type"]?.plain ?? "") " + text(of: members["value"])
        case .text(let text): quoted(text)
        case .number(let number): "\(number)"
        case .boolean(let value): "\(value)"
        case nil: "nothing"
        }
    }

    /// RFC 4648 §6.
    private static func base32(_ data: Data) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var text = ""
        var bits = 0
        var count = 0
        for byte in data {
            bits = bits << 8 | Int(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(letters[bits >> count & 31])
            }
        }
        if count > 0 { text.append(letters[bits << (5 - count) & 31]) }
        while text.count % 8 != 0 { text += "=" }
        return text
    }
}

/// A row of the corpus, with the corpus's own names.
// swift-format-ignore: AlwaysUseLowerCamelCase
private struct Line: Decodable {
    let name: String
    let raw: [String]
    let header_type: String
    let expected: Value?
    let must_fail: Bool?
    let can_fail: Bool?

    func mayBe(_ read: String?, _ expected: String) -> Bool { must_fail != true && read == expected }
}

/// JSON in which Booleans are told from numbers.
private indirect enum Value: Decodable {
    case array([Value])
    case object([String: Value])
    case text(String)
    case number(Double)
    case boolean(Bool)

    var plain: String? { if case .text(let text) = self { text } else { nil } }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let values = try? container.decode([Value].self) {
            self = .array(values)
        } else {
            self = .object(try container.decode([String: Value].self))
        }
    }
}
