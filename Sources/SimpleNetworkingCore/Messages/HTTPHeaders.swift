import SimpleNetworkingSupport

/// Holds header fields in order, with case-insensitive names and repeated fields (RFC 9110 §5).
///
/// Two instances are equal if each name has the same values in the same order; the case and the order of names are
/// ignored.
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    /// Holds one header field: a name, spelled as given, and a value.
    public struct Field: Hashable, Sendable {
        /// The name, spelled as given.
        public let name: String
        /// The value, without line breaks.
        public var value: String
        /// Whether the field is marked as a credential.
        ///
        /// A secret value is hidden in logs and descriptions, and the field is sent only to the base URL's origin and
        /// to trusted origins.
        public let isSecret: Bool

        /// Creates a field.
        public init(_ name: String, _ value: String, isSecret: Bool = false) {
            self.name = name
            self.value = value
            self.isSecret = isSecret
        }
    }

    /// The fields in the order in which they were added.
    package private(set) var fields: [Field] = []

    /// Creates an empty list of fields.
    init() {}

    /// Creates a list from a dictionary, sorted by name.
    ///
    /// If names differ only in case, only the last field is kept.
    public init(_ dictionary: [String: String]) {
        let sorted = dictionary.ordered(by: \.key)
        let last = Dictionary(sorted.map { ($0.key.lowercased(), $0.key) }, uniquingKeysWith: { $1 })
        fields = sorted.filter { last[$0.key.lowercased()] == $0.key }.map { Field($0.key, $0.value) }
    }

    /// Creates a list from fields, whose names may repeat.
    public init(fields: [Field]) { self.fields = fields }

    /// Creates a list from a dictionary literal, including repeated names.
    public init(dictionaryLiteral elements: (String, String)...) { fields = elements.map { Field($0.0, $0.1) } }

    /// The values of the given field, joined with `", "` (RFC 9110 §5.3).
    ///
    /// Setting a value replaces all values of the field, and setting nil removes them.
    public subscript(name: String) -> String? {
        get {
            var found: String?
            for field in fields where field.name.isSameFieldName(as: name) {
                if found == nil { found = field.value } else { found?.append(", " + field.value) }
            }
            return found
        }
        set { replace(name, with: newValue) }
    }

    @inline(never)  // Inlined 7 times, it took 5 KB.
    private mutating func replace(_ name: String, with value: String?) {
        guard let first = fields.firstIndex(where: { $0.name.isSameFieldName(as: name) }) else {
            if let value { fields.append(Field(name, value)) }
            return
        }
        fields.removeAll { $0.name.isSameFieldName(as: name) }
        if let value { fields.insert(Field(name, value), at: first) }
    }

    /// Returns each value of the given field separately, in order.
    ///
    /// Use this method for `Set-Cookie`, whose values may contain commas.
    public func values(for name: String) -> [String] {
        fields.filter { $0.name.isSameFieldName(as: name) }.map(\.value)
    }

    /// Returns whether a field with this name is present.
    public func contains(_ name: String) -> Bool { fields.contains { $0.name.isSameFieldName(as: name) } }

    /// Adds a field, and keeps other fields with the same name.
    public mutating func append(_ name: String, _ value: String) { fields.append(Field(name, value)) }

    /// Replaces the fields that `other` also contains, and adds the rest.
    package mutating func merge(_ other: HTTPHeaders) {
        guard !fields.isEmpty else { return fields = other.fields }
        remove(other.fields.map(\.name))
        fields += other.fields
    }

    /// Removes the fields with these names.
    @inline(never)  // Inlined 5 times, it took 4 KB.
    package mutating func remove(_ names: [String]) {
        let names = Set(names.map { $0.lowercased() })
        fields.removeAll { names.contains($0.name.lowercased()) }
    }

    /// Applies only the differences between the former fields and the changed ones.
    mutating func apply(_ changed: HTTPHeaders, to former: HTTPHeaders) {
        if fields == former.fields { return fields = changed.fields }
        let old = former.fieldsByName
        let new = changed.fieldsByName
        let names = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
        remove(Array(names))
        fields += changed.fields.filter { names.contains($0.name.lowercased()) }
    }

    /// Replaces what still is as in the former fields by what it is in the new ones.
    mutating func update(from former: HTTPHeaders, to new: HTTPHeaders) {
        let names = Set((former.names + new.names).map { $0.lowercased() }).filter { name in
            let old = former.values(for: name)
            return old != new.values(for: name) && values(for: name) == old
        }
        remove(Array(names))
        fields += new.fields.filter { names.contains($0.name.lowercased()) }
    }

    /// Reserves capacity for additional fields.
    mutating func reserve(_ count: Int) { fields.reserveCapacity(fields.count + count) }

    /// Marks the values of a field as secret.
    mutating func markSecret(_ name: String) {
        for (index, field) in fields.enumerated() where field.name.isSameFieldName(as: name) {
            fields[index] = Field(field.name, field.value, isSecret: true)
        }
    }

    /// The reason why the fields can't be sent, as the end of a sentence; nil if the fields can be sent.
    package var defect: String? {
        for field in fields {
            guard field.name.isToken else {
                let name = String(field.name.unicodeScalars.map { $0.value < 0x20 ? "�" : Character($0) })
                return "“\(name)” is not a valid name of a header field"
            }
            guard !field.value.contains(anyOf: "\r\n\0") else {
                return "the value of the header field “\(field.name)” holds a line break or a NUL"
            }
        }
        return nil
    }

    /// Keeps only the fields that meet a condition.
    package mutating func filter(_ isKept: (Field) -> Bool) { fields.removeAll { !isKept($0) } }

    /// The unique names in order, each spelled as in its first field.
    package var names: [String] {
        var seen: Set<String> = []
        return fields.map(\.name).filter { seen.insert($0.lowercased()).inserted }
    }

    /// The fields as a dictionary, in which the values of repeated fields are joined with `", "`.
    ///
    /// Each name is spelled as in the first field with this name. Joined `Set-Cookie` values can't be separated again,
    /// so use `values(for:)` for this field.
    public var dictionary: [String: String] {
        let byName = fieldsByName
        return names.reduce(into: [:]) { dictionary, name in
            dictionary[name] = byName[name.lowercased()]?.map(\.value).joined(separator: ", ")
        }
    }

    private var fieldsByName: [String: [Field]] { Dictionary(grouping: fields) { $0.name.lowercased() } }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The position of the first field.
    public var startIndex: Int { 0 }
    /// The position after the last field.
    public var endIndex: Int { fields.count }
    /// Returns the field at the given position.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: Identified {
    /// The values of each name, in order; the case and the order of names are ignored.
    package var identity: [String: [String]] { fieldsByName.mapValues { $0.map(\.value) } }
}

extension HTTPHeaders: Described, Redacted {
    /// The fields, one per line, with secret values hidden.
    package var shownText: String { fields.map(\.description).joined(separator: "\n") }

    package var mirror: Mirror {
        Mirror(self, children: fields.map { ($0.name, Redaction.text(of: $0)) }, displayStyle: .struct)
    }
}

extension HTTPHeaders.Field: Described, Redacted {
    /// The field as a line, with its value hidden if it is secret.
    package var shownText: String { "\(name): \(Redaction.text(of: self))" }

    package var shownMembers: KeyValuePairs<String, Any> { ["name": name, "value": Redaction.text(of: self)] }
}
