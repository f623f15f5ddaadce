import SimpleNetworkingSupport

/// A value in content that is being decoded: the whole content, a member of an object, or an element of an array.
enum ContentPlace {
    case content(any Decoder)
    case member(KeyedDecodingContainer<Name>, Name)
    /// The next element of the container.
    case element(any UnkeyedDecodingContainer)

    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Returns the value at a path, such as `meta.next` or `link[relation=next].url`; nil if there is none.
    ///
    /// A null on the way is the value, because an object that is null has no members that could say more. A longer key
    /// comes before a shorter one, so that keys may contain dots.
    func place(at path: Substring) -> ContentPlace? {
        var null: ContentPlace?
        for (name, rest) in Self.steps(into: path) {
            for place in [member(name), element(name)].compactMap(\.self) {
                guard let rest else { return place }
                if let found = place.place(at: rest) { return found }
                if place.isNull { null = null ?? place }
            }
        }
        return null
    }

    /// Returns the value at a path, or throws an error that names what is missing.
    func requiredPlace(at path: String) throws -> ContentPlace {
        if let place = place(at: path[...]) { return place }
        if case .content(let decoder) = self, !path.hasPrefix("[") { _ = try decoder.container(keyedBy: Name.self) }
        let context = DecodingError.Context(codingPath: [], debugDescription: "there is no field “\(path)”")
        throw DecodingError.keyNotFound(Name(stringValue: path), context)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        switch self {
        case .content(let decoder): return try Value(from: decoder)
        case .member(let object, let name): return try object.decode(type, forKey: name)
        case .element(var array): return try array.decode(type)
        }
    }

    var isNull: Bool {
        switch self {
        case .content(let decoder): (try? decoder.singleValueContainer().decodeNil()) ?? false
        case .member(let object, let name): (try? object.decodeNil(forKey: name)) ?? false
        case .element(var array): (try? array.decodeNil()) ?? false
        }
    }

    /// The number as a string; nil if the value isn't a number.
    var number: String? {
        if let number = try? decode(Int.self) { return String(number) }
        if let number = try? decode(UInt64.self) { return String(number) }
        return (try? decode(Double.self)).map { String($0) }
    }

    /// Whether the value is an empty object or array.
    var isEmpty: Bool { object?.allKeys.isEmpty ?? array?.isAtEnd ?? false }

    private var object: KeyedDecodingContainer<Name>? {
        switch self {
        case .content(let decoder): try? decoder.container(keyedBy: Name.self)
        case .member(let object, let name): try? object.nestedContainer(keyedBy: Name.self, forKey: name)
        case .element(var array): try? array.nestedContainer(keyedBy: Name.self)
        }
    }

    private var array: (any UnkeyedDecodingContainer)? {
        switch self {
        case .content(let decoder): try? decoder.unkeyedContainer()
        case .member(let object, let name): try? object.nestedUnkeyedContainer(forKey: name)
        case .element(var array): try? array.nestedUnkeyedContainer()
        }
    }
}

// MARK: Members

extension ContentPlace {
    /// Returns each way to divide a path at a dot outside brackets, the longest first step first.
    private static func steps(into path: Substring) -> [(name: Substring, rest: Substring?)] {
        var steps: [(name: Substring, rest: Substring?)] = [(path, nil)]
        var depth = 0
        for index in path.utf8.indices.reversed() {
            switch path.utf8[index] {
            case UInt8(ascii: "]"): depth += 1
            case UInt8(ascii: "["): depth -= 1
            case UInt8(ascii: ".") where depth == 0:
                steps.append((path[..<index], path[path.utf8.index(after: index)...]))
            default: break
            }
        }
        return steps
    }

    private func member(_ name: Substring) -> ContentPlace? {
        guard let object else { return nil }
        let names = [Name(stringValue: String(name)), Name(stringValue: Self.camelCase(name))]
        return names.first { object.contains($0) }.map { .member(object, $0) }
    }

    /// Returns a name as a decoder that converts from snake case provides it.
    private static func camelCase(_ name: Substring) -> String {
        let words = name.pieces(between: "_")
        guard words.count > 1, let first = words.first, let last = words.last else { return String(name) }
        let others = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined()
        return "\(name[..<first.startIndex])\(first.lowercased())\(others)\(name[last.endIndex...])"
    }
}

// MARK: Elements

extension ContentPlace {
    /// Takes any value, to skip it.
    private struct Skipped: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// Returns the element that brackets name, as in `link[0]` or `link[relation=next]`; nil if there is none.
    private func element(_ name: Substring) -> ContentPlace? {
        let (key, brackets) = name.parts(at: "[")
        guard let brackets, name.utf8.last == UInt8(ascii: "]") else { return nil }
        var place = key.isEmpty ? self : member(key)
        // Several pairs of brackets are `0][1`, between the first and the last.
        for condition in brackets.dropLast().pieces(around: "][").filter({ !$0.isEmpty }) {
            place = place?.element(where: condition)
        }
        return place
    }

    private func element(where condition: Substring) -> ContentPlace? {
        guard var array else { return nil }
        let (key, value) = condition.parts(at: "=")
        let index = Int(condition).map { $0 < 0 ? $0.addingSaturated(array.count ?? 0) : $0 }
        while !array.isAtEnd {
            let element = ContentPlace.element(array)
            if let value {
                if let found = element.place(at: key), found.matches(value) { return element }
            } else if array.currentIndex == index {
                return element
            }
            if (try? array.decodeNil()) == true { continue }
            guard (try? array.decode(Skipped.self)) != nil else { return nil }
        }
        return nil
    }

    /// Returns whether the value is the text, or an array that contains it, such as the `rel` of a Siren link.
    private func matches(_ text: Substring) -> Bool {
        if let list = try? decode([String].self) { return list.contains(String(text)) }
        return ListField(self).text.map { $0 == text } ?? false
    }
}
