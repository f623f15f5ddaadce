import Foundation

@testable import SimpleNetworking

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
        let rows = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
        return rows.map { row in
            let raw = (row["raw"] as? [String] ?? []).joined(separator: ", ")
            let read = read(raw, as: row["header_type"] as? String ?? "")
            let mayFail = row["must_fail"] as? Bool == true || row["can_fail"] as? Bool == true
            let isMet = read == nil ? mayFail : row["must_fail"] as? Bool != true && read == text(of: row["expected"])
            let name = row["name"] as? String ?? raw
            return (name, isMet ? nil : "is \(read ?? "malformed")")
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
    private static func text(of json: Any?) -> String {
        switch json {
        case let array as [Any]: list(array.map { text(of: $0) })
        case let object as [String: Any]:
            (object["__type"] as? String ?? "") + " " + text(of: object["value"])
        case let text as String: quoted(text)
        case let number as NSNumber: booleanText(number) ?? "\(number.doubleValue)"
        default: "nothing"
        }
    }

    /// Swift's JSON has Booleans as numbers.
    private static func booleanText(_ number: NSNumber) -> String? {
        let isBoolean = "\(type(of: number))".contains("Boolean") || String(cString: number.objCType) == "c"
        return isBoolean ? "\(number.boolValue)" : nil
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
        return text.padding(toLength: (text.count + 7) / 8 * 8, withPad: "=", startingAt: 0)
    }
}
