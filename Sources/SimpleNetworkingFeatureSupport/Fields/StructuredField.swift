import SimpleNetworkingSupport

/// The values of structured fields (RFC 9651): a list, a dictionary or an item.
package enum StructuredField {
    /// A value without parameters.
    package enum BareItem: Sendable {
        case integer(Int64)
        case decimal(Double)
        case string(String)
        case token(String)
        case bytes(Data)
        case boolean(Bool)
        /// The number of seconds since 1970.
        case date(Int64)
        case displayString(String)
    }

    package struct Parameter: Sendable {
        package let name: String
        package fileprivate(set) var value: BareItem
    }

    package struct Item: Sendable {
        package let value: BareItem
        package let parameters: [Parameter]

        package subscript(name: String) -> BareItem? { parameters.first { $0.name == name }?.value }
    }

    package enum Value: Sendable {
        case item(Item)
        case innerList([Item], [Parameter])
    }

    /// A member of a dictionary.
    package struct Member: Sendable {
        package let name: String
        package fileprivate(set) var value: Value
    }

    /// Reads a list; nil if the text is not a list.
    package static func list(_ text: String) -> [Value]? { read(text) { try $0.list() } }

    /// Reads a dictionary; nil if the text is not a dictionary.
    package static func dictionary(_ text: String) -> [Member]? { read(text) { try $0.dictionary() } }

    /// Reads one item; nil if the text is not an item.
    package static func item(_ text: String) -> Item? { read(text) { try $0.item() } }

    /// Reads a complete text; surrounding spaces are ignored.
    private static func read<Result>(_ text: String, _ body: (inout StructuredFieldParser) throws -> Result) -> Result?
    {
        var parser = StructuredFieldParser(text)
        parser.skip { $0 == UInt8(ascii: " ") }
        guard let result = try? body(&parser) else { return nil }
        parser.skip { $0 == UInt8(ascii: " ") }
        return parser.isAtEnd ? result : nil
    }
}

extension StructuredFieldParser {
    fileprivate mutating func list() throws(NoStructuredField) -> [StructuredField.Value] {
        var members: [StructuredField.Value] = []
        while !isAtEnd {
            members.append(try value())
            try endMember()
        }
        return members
    }

    fileprivate mutating func dictionary() throws(NoStructuredField) -> [StructuredField.Member] {
        var members: [StructuredField.Member] = []
        while !isAtEnd {
            let name = try key()
            let value: StructuredField.Value =
                take("=") ? try self.value() : .item(.init(value: .boolean(true), parameters: try parameters()))
            // The last occurrence applies.
            if let index = members.firstIndex(where: { $0.name == name }) {
                members[index].value = value
            } else {
                members.append(.init(name: name, value: value))
            }
            try endMember()
        }
        return members
    }

    /// Takes a comma and the whitespace around it; a member must follow.
    private mutating func endMember() throws(NoStructuredField) {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        skip(isBlank)
        guard !isAtEnd else { return }
        guard take(",") else { throw NoStructuredField() }
        skip(isBlank)
        if isAtEnd { throw NoStructuredField() }
    }

    private mutating func value() throws(NoStructuredField) -> StructuredField.Value {
        guard take("(") else { return .item(try item()) }
        var items: [StructuredField.Item] = []
        while true {
            skip { $0 == UInt8(ascii: " ") }
            if take(")") { return .innerList(items, try parameters()) }
            items.append(try item())
            guard next == UInt8(ascii: " ") || next == UInt8(ascii: ")") else { throw NoStructuredField() }
        }
    }

    fileprivate mutating func item() throws(NoStructuredField) -> StructuredField.Item {
        let value = try bareItem()
        return StructuredField.Item(value: value, parameters: try parameters())
    }

    private mutating func parameters() throws(NoStructuredField) -> [StructuredField.Parameter] {
        var parameters: [StructuredField.Parameter] = []
        while take(";") {
            skip { $0 == UInt8(ascii: " ") }
            let name = try key()
            let value = take("=") ? try bareItem() : .boolean(true)
            // The last occurrence applies.
            if let index = parameters.firstIndex(where: { $0.name == name }) {
                parameters[index].value = value
            } else {
                parameters.append(.init(name: name, value: value))
            }
        }
        return parameters
    }

    private mutating func key() throws(NoStructuredField) -> String {
        guard let first = next, StructuredFieldParser.keyStart.contains(first) else { throw NoStructuredField() }
        return text(of: read { StructuredFieldParser.keyBytes.contains($0) })
    }
}
