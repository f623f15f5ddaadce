/// Decodes the list in a body together with other fields, using any decoder.
///
/// The path of a field consists of its keys, joined with dots.
struct ListContent<Item: Decodable>: Decodable {
    let items: [Item]
    /// The strings, numbers and Booleans in the requested fields, as strings.
    let fields: [String: String]

    init(items: [Item], fields: [String: String]) {
        self.items = items
        self.fields = fields
    }

    init(from decoder: any Decoder) throws {
        let wanted = ListFields.wanted
        let object = try? decoder.container(keyedBy: ListFields.Name.self)
        var fields: [String: String] = [:]
        for field in wanted.fields { fields[field] = object.flatMap { ListFields.text(at: field, in: $0) } }
        self.fields = fields
        guard let path = wanted.items else {
            items = try [Item](from: decoder)
            return
        }
        let top = try decoder.container(keyedBy: ListFields.Name.self)
        let (container, key) = try ListFields.place(of: path, in: top)
        // Null is an empty list; a missing field is an error.
        items = try container.decodeNil(forKey: key) ? [] : container.decode([Item].self, forKey: key)
    }
}

/// Finds fields by their paths.
enum ListFields {
    /// The field that holds the list, or nil if the list is the whole body, and the other fields to decode.
    ///
    /// The value is task-local, because a decoder can't pass on parameters.
    @TaskLocal
    static var wanted: (items: String?, fields: [String]) = (nil, [])

    fileprivate typealias Container = KeyedDecodingContainer<Name>

    fileprivate struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Returns the string, number or Boolean at a path, as a string; nil if there is no such value.
    fileprivate static func text(at path: String, in object: Container) -> String? {
        guard let (container, key) = try? place(of: path, in: object) else { return nil }
        if let text = try? container.decode(String.self, forKey: key) { return text }
        if let truth = try? container.decode(Bool.self, forKey: key) { return String(truth) }
        if let number = try? container.decode(Int.self, forKey: key) { return String(number) }
        if let number = try? container.decode(UInt64.self, forKey: key) { return String(number) }
        return (try? container.decode(Double.self, forKey: key)).map { String($0) }
    }

    /// Returns the last key of a path, and the container that holds it.
    fileprivate static func place(of path: String, in object: Container) throws -> (Container, Name) {
        var object = object
        let names = path.pieces(between: ".")
        for name in names.dropLast() {
            object = try object.nestedContainer(keyedBy: Name.self, forKey: key(String(name), in: object))
        }
        return (object, key(String(names.last ?? ""), in: object))
    }

    /// Returns the key for a name.
    ///
    /// A decoder that converts from snake case provides only converted keys.
    private static func key(_ name: String, in object: Container) -> Name {
        let key = Name(stringValue: name)
        guard !object.contains(key) else { return key }
        let words = name.pieces(between: "_").map(String.init)
        let others = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let other = Name(stringValue: (words.prefix(1) + others).joined())
        return object.contains(other) ? other : key
    }
}
