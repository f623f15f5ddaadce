/// Holds header fields in order, finds them by name in any case, and keeps repeated ones (RFC 9110 §5).
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    /// One header field: a name, spelled as given, and a value.
    public struct Field: Hashable, Sendable {
        /// The name, in the spelling it was given.
        public let name: String
        /// The value, without line breaks.
        public var value: String
        /// Whether the value is a credential beside the known ones: hidden in texts, and never sent off the base URL's
        /// origin.
        public let isSecret: Bool

        /// Makes a field.
        public init(_ name: String, _ value: String, isSecret: Bool = false) {
            self.name = name
            self.value = value
            self.isSecret = isSecret
        }
    }

    /// The fields in the order in which they were added.
    public private(set) var fields: [Field] = []

    /// Makes an empty list of fields.
    public init() {}

    /// Makes a list from a dictionary, sorted by name; of two names that differ in case only the later one stays.
    public init(_ dictionary: [String: String]) {
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }

    /// Makes a list from fields, repeated names included.
    public init(fields: [Field]) { self.fields = fields }

    /// Makes a list from a literal; a name that comes twice is kept twice.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field($0.0, $0.1) }
    }

    /// Reads the values of a field, joined with `", "` as RFC 9110 §5.3 says, or replaces all of them.
    ///
    /// Setting `nil` removes the field.
    public subscript(name: String) -> String? {
        get {
            var found: String?
            for field in fields where field.name.isSameFieldName(as: name) {
                found = found.map { $0 + ", " + field.value } ?? field.value
            }
            return found
        }
        set {
            guard let newValue else { return fields.removeAll { $0.name.isSameFieldName(as: name) } }
            guard let first = fields.firstIndex(where: { $0.name.isSameFieldName(as: name) }) else {
                return fields.append(Field(name, newValue))
            }
            fields[first] = Field(name, newValue)
            for index in fields.indices.dropFirst(first + 1).reversed()
            where fields[index].name.isSameFieldName(as: name) {
                fields.remove(at: index)
            }
        }
    }

    /// Gives every value of a field on its own, in order; needed for `Set-Cookie`, whose values may hold commas.
    public func values(for name: String) -> [String] {
        fields.filter { $0.name.isSameFieldName(as: name) }.map(\.value)
    }

    /// Tells whether there is such a field.
    public func contains(_ name: String) -> Bool { fields.contains { $0.name.isSameFieldName(as: name) } }

    /// Adds a field and keeps those of the same name.
    public mutating func append(_ name: String, _ value: String) { fields.append(Field(name, value)) }

    /// Replaces the fields that `other` names, and adds those that are new.
    public mutating func merge(_ other: HTTPHeaders) {
        if fields.isEmpty {
            fields = other.fields
            return
        }
        for name in other.names { fields.removeAll { $0.name.isSameFieldName(as: name) } }
        fields += other.fields
    }

    /// Makes the value of a field a secret.
    mutating func markSecret(_ name: String) {
        for (index, field) in fields.enumerated() where field.name.isSameFieldName(as: name) {
            fields[index] = Field(field.name, field.value, isSecret: true)
        }
    }

    /// Keeps only the fields that fulfil a condition.
    public mutating func filter(_ isKept: (Field) -> Bool) { fields.removeAll { !isKept($0) } }

    /// The names, each once, in order, in the first spelling.
    public var names: [String] {
        var names: [String] = []
        for field in fields where !names.contains(where: { $0.isSameFieldName(as: field.name) }) {
            names.append(field.name)
        }
        return names
    }

    /// The fields as a dictionary, repeated ones joined.
    public var dictionary: [String: String] {
        Dictionary(names.map { ($0, self[$0] ?? "") }, uniquingKeysWith: { first, _ in first })
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The position of the first field.
    public var startIndex: Int { 0 }
    /// The position after the last field.
    public var endIndex: Int { fields.count }
    /// Gives the field at a position.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: Hashable {
    /// Compares the values of each name, in order; the case and the order of names do not count.
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.fields.count == right.fields.count
            && left.names.allSatisfy { left.values(for: $0) == right.values(for: $0) }
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Set(fields.map { $0.name.lowercased() + ":" + $0.value }))
    }
}

extension HTTPHeaders: CustomStringConvertible {
    /// The fields, one a line, with the values of secret ones hidden.
    public var description: String {
        fields.map(\.description).joined(separator: "\n")
    }
}

extension StringProtocol {
    /// Field names are ASCII and compare without case (RFC 9110 §5.1).
    func isSameFieldName(as other: some StringProtocol) -> Bool {
        let left = utf8
        let right = other.utf8
        guard left.count == right.count else { return false }
        return zip(left, right).allSatisfy { a, b in
            a == b || (a | 0x20 == b | 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(a | 0x20))
        }
    }
}
