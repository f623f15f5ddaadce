/// Holds the pairs of a URL's query in order: `[("page", "2"), ("tag", nil)]` or `["page": 2, "tag": nil]`.
///
/// Pairs keep their order, and names may repeat; the pairs of a dictionary are sorted by name. A nil value drops its
/// pair, an array repeats its name for each element. Names and values are plain text and are encoded, `+` and `%` too.
/// Use `raw(_:)` for text that is already encoded.
public struct Query: Sendable, Hashable {
    private enum Item: Hashable {
        case pair(name: String, value: String)
        case raw(String)
    }

    private var items: [Item]

    private init(items: [Item]) { self.items = items }

    /// Makes an empty query.
    public init() { items = [] }

    /// Makes a query from pairs or from a dictionary.
    public init(_ content: some QueryConvertible) { self = content.query }

    /// Makes a query from pairs that all have values.
    public init(_ pairs: [(String, String)]) { items = pairs.map { .pair(name: $0.0, value: $0.1) } }

    /// Makes a query from a dictionary with values of different types, sorted by name.
    @_disfavoredOverload
    public init(_ values: [String: (any QueryValue)?]) {
        self.init()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { append(name, value) }
    }

    /// Makes a query that is sent as written, such as `.raw("q=a+b")`; only what a URL must not hold is encoded.
    public static func raw(_ text: String) -> Query { Query(items: text.isEmpty ? [] : [.raw(text)]) }

    /// Tells whether there is nothing to send.
    public var isEmpty: Bool { items.isEmpty }

    /// Adds a pair, or one for each value of an array; nil adds nothing.
    public mutating func append(_ name: String, _ value: (any QueryValue)?) {
        // The usual case, without an array for one value.
        if let text = value as? String { return items.append(.pair(name: name, value: text)) }
        items += value?.queryTexts.map { .pair(name: name, value: $0) } ?? []
    }

    /// Adds the pairs of another query after those of this one.
    public mutating func append(_ other: Query) { items += other.items }

    /// Joins the pairs of both, in order.
    static func + (left: Query, right: Query) -> Query { Query(items: left.items + right.items) }

    /// The query as in a URL, without `?`.
    var encoded: String { encoded(QueryText.encode) }

    /// The pairs as `application/x-www-form-urlencoded`.
    var formEncoded: String { encoded(QueryText.encodeForForm) }

    private func encoded(_ encode: (String) -> String) -> String {
        let texts = items.map { item in
            switch item {
            case .pair(let name, let value): encode(name) + "=" + encode(value)
            case .raw(let text): QueryText.complete(text)
            }
        }
        return texts.joined(separator: "&")
    }
}

extension Query {
    /// The pairs in order, decoded; one without `=` has an empty value.
    public var pairs: [(name: String, value: String)] { QueryText.pairs(in: encoded).map { ($0.name, $0.value) } }

    /// Returns the first value of a name, decoded; nil if there is none.
    public func value(of name: String) -> String? { QueryText.pairs(in: encoded).first { $0.name == name }?.value }

    /// Joins the pairs of both; those of `other` replace all with the same names.
    public func replacing(with other: Query) -> Query {
        let names = Set(QueryText.pairs(in: other.encoded).map(\.name))
        return keeping { !names.contains($0) } + other
    }

    /// Returns the pairs with accepted names, in order, as they were written.
    func keeping(_ isWanted: (String) throws -> Bool) rethrows -> Query {
        .raw(try QueryText.pairs(in: encoded).filter { try isWanted($0.name) }.map(\.text).joined(separator: "&"))
    }
}

extension Query: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Makes a query from pairs, such as `[("page", 2), ("tag", nil)]`.
    public init(arrayLiteral pairs: (String, (any QueryValue)?)...) {
        self.init()
        for (name, value) in pairs { append(name, value) }
    }

    /// Makes a query from a dictionary such as `["page": 2, "tag": nil]`, sorted by name.
    public init(dictionaryLiteral pairs: (String, (any QueryValue)?)...) {
        self.init()
        for (name, value) in pairs.sorted(by: { $0.0 < $1.0 }) { append(name, value) }
    }
}

extension Query: CustomStringConvertible, Redacted {
    /// The query as it is sent, with the values of secret names hidden.
    public var description: String { Redaction.text(ofQuery: encoded[...]) }
}

/// Describes what can be given as a query: `[(String, String?)]`, a dictionary with `String` keys, or a `Query`.
public protocol QueryConvertible {
    /// The pairs to send.
    var query: Query { get }
}

extension Query: QueryConvertible {
    /// The query itself.
    public var query: Query { self }
}

extension Array: QueryConvertible where Element == (String, String?) {
    /// The pairs in order, without those whose value is nil.
    public var query: Query { reduce(into: Query()) { $0.append($1.0, $1.1) } }
}

extension Dictionary: QueryConvertible where Key == String, Value: QueryValue {
    /// The pairs, sorted by name.
    public var query: Query { sorted { $0.key < $1.key }.reduce(into: Query()) { $0.append($1.key, $1.value) } }
}

/// Describes the value of a query pair: text, numbers, Booleans, enums of these, and arrays of these.
///
/// Conform an enum with `enum Order: String, QueryValue`: its raw value is sent.
public protocol QueryValue {
    /// The texts to send: one for a single value, none for nil, and one for each element of an array.
    var queryTexts: [String] { get }
}

extension QueryValue where Self: CustomStringConvertible {
    /// The value as text.
    public var queryTexts: [String] { [description] }
}

extension QueryValue where Self: RawRepresentable, RawValue: QueryValue {
    /// The raw value as text.
    public var queryTexts: [String] { rawValue.queryTexts }
}

extension String: QueryValue {}
extension Substring: QueryValue {}
extension Bool: QueryValue {}
extension Int: QueryValue {}
extension Int8: QueryValue {}
extension Int16: QueryValue {}
extension Int32: QueryValue {}
extension Int64: QueryValue {}
extension UInt: QueryValue {}
extension UInt8: QueryValue {}
extension UInt16: QueryValue {}
extension UInt32: QueryValue {}
extension UInt64: QueryValue {}
extension Float: QueryValue {}
extension Double: QueryValue {}
extension Decimal: QueryValue {}
extension UUID: QueryValue {}
extension URL: QueryValue {
    /// The whole URL.
    public var queryTexts: [String] { [absoluteString] }
}

extension Optional: QueryValue where Wrapped: QueryValue {
    /// The value's texts, or none for nil.
    public var queryTexts: [String] { map(\.queryTexts) ?? [] }
}

extension Array: QueryValue where Element: QueryValue {
    /// The texts of each element, in order.
    public var queryTexts: [String] { flatMap(\.queryTexts) }
}
