import SimpleNetworkingFeatureSupport

/// Encodes the properties of a value as query pairs.
struct QueryEncoder: Encoder {
    /// Holds the encoded pairs, which containers share.
    final class Pairs {
        fileprivate(set) var all: [(name: String, value: String)] = []

        fileprivate func sort(from start: Int) {
            guard all.count - start > 1 else { return }
            all.replaceSubrange(start..., with: all[start...].ordered(by: \.name))
        }
    }

    let encoding: Query.Encoding
    let pairs: Pairs
    /// The name of the pair so far; nil at the top level.
    var name: String?
    var codingPath: [any CodingKey] = []
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Properties(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Elements(encoder: self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    /// Encodes a value as one pair, or with its own containers.
    func encode(_ value: some Encodable) throws {
        switch value {
        case let value as Bool: try write(encoding.booleans == .words ? "\(value)" : value ? "1" : "0")
        case let value as Date: try encode(value)
        case let value as Data: try write(value.base64EncodedString())
        case is String, is any FixedWidthInteger, is any BinaryFloatingPoint, is Decimal, is UUID:
            try write("\(value)")
        case let value as URL: try write(value.absoluteString)
        default:
            let start = pairs.all.count
            try value.encode(to: self)
            if value is any UnorderedNames { pairs.sort(from: start) }
        }
    }

    private func encode(_ date: Date) throws {
        switch encoding.dates {
        case .iso8601: try write(InternetDate.text(date, at: codingPath))
        case .seconds: try write(number(date.timeIntervalSince1970))
        case .milliseconds: try write(number((date.timeIntervalSince1970 * 1000).rounded()))
        case .deferred: try date.encode(to: self)
        case .custom(let text): try write(text(date))
        }
    }

    /// Returns a number as a string, without a fraction if it is whole.
    private func number(_ value: Double) -> String { Int64(exactly: value).map { "\($0)" } ?? "\(value)" }

    func encodeNil() throws {
        switch encoding.nils {
        case .omitted: break
        case .empty: try write("")
        case .null: try write("null")
        }
    }

    private func write(_ text: String) throws {
        guard let name else {
            let problem = "a query is made of names and values, and this value has no name"
            throw EncodingError.invalidValue(text, .init(codingPath: codingPath, debugDescription: problem))
        }
        pairs.all.append((name, text))
    }

    /// Returns the encoder for a property.
    fileprivate func property(_ key: any CodingKey) -> QueryEncoder {
        let keyName = key.stringValue
        var encoder = self
        switch encoding.keys {
        case .brackets: encoder.name = name.map { "\($0)[\(keyName)]" } ?? keyName
        case .dots: encoder.name = name.map { "\($0).\(keyName)" } ?? keyName
        }
        encoder.codingPath.append(key)
        return encoder
    }

    /// Returns the encoder for an array element.
    fileprivate func element(_ index: Int) -> QueryEncoder {
        var encoder = self
        switch encoding.arrays {
        case .repeated: break
        case .brackets: encoder.name = name.map { $0 + "[]" }
        case .indices: encoder.name = name.map { "\($0)[\(index)]" }
        }
        return encoder
    }
}

/// Marks dictionaries, which have no order.
private protocol UnorderedNames {}

extension Dictionary: UnorderedNames {}

private struct Properties<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: QueryEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) throws { try encoder.property(key).encodeNil() }

    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder.property(key).encode(value) }

    func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws { try encodeOptional(value, key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { encoder.property(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.property(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.property(key) }
}

// The protocol has its own overload for each of these types, which would omit nil.
extension Properties {
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeOptional(value, key) }

    private func encodeOptional(_ value: (some Encodable)?, _ key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }
}

private struct Elements: UnkeyedEncodingContainer {
    let encoder: QueryEncoder
    private(set) var count = 0
    var codingPath: [any CodingKey] { encoder.codingPath }

    init(encoder: QueryEncoder) { self.encoder = encoder }

    mutating func encodeNil() throws { try next().encodeNil() }

    mutating func encode(_ value: some Encodable) throws { try next().encode(value) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { next() }

    private mutating func next() -> QueryEncoder {
        defer { count += 1 }
        return encoder.element(count)
    }
}

private struct Single: SingleValueEncodingContainer {
    let encoder: QueryEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() throws { try encoder.encodeNil() }

    func encode(_ value: some Encodable) throws { try encoder.encode(value) }
}
