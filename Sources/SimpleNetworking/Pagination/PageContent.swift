/// Decodes the items of a page together with the fields that describe other pages, with any decoder.
struct PageContent<Item: Decodable>: Decodable {
    let items: [Item]
    let fields: [String: String]
}

extension PageContent {
    init(from decoder: any Decoder) throws {
        let wanted = PageFields.wanted
        let object = try? decoder.container(keyedBy: PageFields.Name.self)
        var fields: [String: String] = [:]
        for field in wanted.fields { fields[field] = object.flatMap { PageFields.text(at: field, in: $0) } }
        self.fields = fields
        guard let path = wanted.items else {
            items = try [Item](from: decoder)
            return
        }
        let top = try decoder.container(keyedBy: PageFields.Name.self)
        let (container, key) = try PageFields.place(of: path, in: top)
        // Null is an empty list; a missing field is an error.
        items = try container.decodeNil(forKey: key) ? [] : container.decode([Item].self, forKey: key)
    }
}

/// Finds fields by their paths in a page.
enum PageFields {
    /// What to decode, as a task-local value, since no parameter passes through a decoder.
    @TaskLocal
    static var wanted: (items: String?, fields: [String]) = (nil, [])

    typealias Container = KeyedDecodingContainer<Name>

    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Gives the string, number or Boolean at a path, as text; nil if there is none.
    static func text(at path: String, in object: Container) -> String? {
        guard let (container, key) = try? place(of: path, in: object) else { return nil }
        if let text = try? container.decode(String.self, forKey: key) { return text }
        if let truth = try? container.decode(Bool.self, forKey: key) { return String(truth) }
        if let number = try? container.decode(Int.self, forKey: key) { return String(number) }
        if let number = try? container.decode(UInt64.self, forKey: key) { return String(number) }
        return (try? container.decode(Double.self, forKey: key)).map { String($0) }
    }

    /// Gives the container that holds the last key of a path, and that key.
    static func place(of path: String, in object: Container) throws -> (Container, Name) {
        var object = object
        let names = path.split(separator: ".")
        for name in names.dropLast() {
            object = try object.nestedContainer(keyedBy: Name.self, forKey: key(String(name), in: object))
        }
        return (object, key(String(names.last ?? ""), in: object))
    }

    /// A decoder that converts from snake case offers only the converted keys.
    private static func key(_ name: String, in object: Container) -> Name {
        let key = Name(stringValue: name)
        guard !object.contains(key) else { return key }
        let words = name.split(separator: "_").map(String.init)
        let others = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let other = Name(stringValue: (words.prefix(1) + others).joined())
        return object.contains(other) ? other : key
    }
}
