import SimpleNetworkingSupport

/// Holds the pairs of a URL's query in order: `[("page", "2"), ("tag", nil)]` or `["page": 2, "tag": nil]`.
///
/// Pairs keep their order, and names may repeat. The pairs of a dictionary are sorted by name. A nil value omits its
/// pair, and an array repeats its name for each element. Pass names and values as plain text, because the query
/// percent-encodes them, including `+` and `%`. For text that is already encoded, use `raw(_:)`.
public struct Query: Sendable, Hashable {
    private enum Item: Hashable {
        case pair(name: String, value: String)
        case raw(String)
    }

    private var items: [Item]

    private init(items: [Item]) { self.items = items }

    /// Creates an empty query.
    init() { items = [] }

    /// Creates a query from an array of pairs, such as a variable of type `[(String, String?)]`.
    public init(_ pairs: [(String, some QueryValue)]) {
        self.init()
        for (name, value) in pairs { append(name, value) }
    }

    /// Creates a query from a dictionary that is stored in a variable.
    ///
    /// The pairs are sorted by name.
    public init(_ values: [String: (any QueryValue)?]) {
        self.init()
        for (name, value) in values.ordered(by: \.key) { append(name, value) }
    }

    /// Creates a query that is sent as written, such as `.raw("q=a+b")`.
    ///
    /// Only characters that aren't allowed in a URL are encoded.
    public static func raw(_ text: String) -> Query { Query(items: text.isEmpty ? [] : [.raw(text)]) }

    /// Whether the query has no pairs.
    package var isEmpty: Bool { items.isEmpty }

    /// Adds a pair, or one pair for each element of an array; nil adds no pair.
    public mutating func append(_ name: String, _ value: (any QueryValue)?) {
        // The common case, which needs no array for a single value.
        if let text = value as? String { return items.append(.pair(name: name, value: text)) }
        items += value?.queryTexts.map { .pair(name: name, value: $0) } ?? []
    }

    /// Adds the pairs of another query after the pairs of this query.
    mutating func append(_ other: Query) { items += other.items }

    /// Returns the pairs of both queries, in order.
    package static func + (left: Query, right: Query) -> Query { Query(items: left.items + right.items) }

    /// The encoded query, as in a URL, without `?`.
    package var encoded: String { encoded(QueryText.encode) }

    /// The pairs, encoded as `application/x-www-form-urlencoded`.
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
    /// The decoded pairs, in order; a pair without `=` has an empty value.
    public var pairs: [(name: String, value: String)] { QueryText.pairs(in: encoded).map { ($0.name, $0.value) } }

    /// Returns the first decoded value for the given name, or nil if there is no such pair.
    public func value(of name: String) -> String? { QueryText.pairs(in: encoded).first { $0.name == name }?.value }

    /// Returns the pairs of both queries.
    ///
    /// The pairs of `other` replace all pairs with the same names.
    public func replacing(with other: Query) -> Query {
        let names = Set(QueryText.pairs(in: other.encoded).map(\.name))
        return keeping { !names.contains($0) } + other
    }

    /// Returns the pairs with accepted names, in order, as they were written.
    package func keeping(_ isWanted: (String) throws -> Bool) rethrows -> Query {
        .raw(try QueryText.pairs(in: encoded).filter { try isWanted($0.name) }.map(\.text).joined(separator: "&"))
    }
}

extension Query: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Creates a query from an array literal of pairs, such as `[("page", 2), ("tag", nil)]`.
    public init(arrayLiteral pairs: (String, (any QueryValue)?)...) {
        self.init()
        for (name, value) in pairs { append(name, value) }
    }

    /// Creates a query from a dictionary literal, such as `["page": 2, "tag": nil]`.
    ///
    /// The pairs are sorted by name.
    public init(dictionaryLiteral pairs: (String, (any QueryValue)?)...) {
        self.init()
        for (name, value) in pairs.ordered(by: \.0) { append(name, value) }
    }
}

extension Query: Described, Redacted {
    /// The query as it is sent, with the values of secret names hidden.
    package var shownText: String { Redaction.text(ofQuery: encoded[...]) }
}

/// Marks a type whose values a query can contain, such as strings, numbers, Booleans, arrays and enums.
///
/// To make an enum conform, declare it as `enum Order: String, QueryValue`; the query then contains the enum's raw
/// value. For any other type, the query contains the value's description.
public protocol QueryValue {}

/// Provides the strings to send for a value whose description isn't sent.
private protocol QueryTexts {
    /// The strings: one for a single value, none for nil, and one for each element of an array.
    var texts: [String] { get }
}

extension QueryValue {
    /// The strings to send.
    fileprivate var queryTexts: [String] {
        switch self {
        case let value as any QueryTexts: value.texts
        case let value as any RawRepresentable: Self.texts(of: value)
        default: ["\(self)"]
        }
    }

    private static func texts(of value: some RawRepresentable) -> [String] {
        (value.rawValue as? any QueryValue)?.queryTexts ?? ["\(value.rawValue)"]
    }
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
extension URL: QueryValue {}
extension Optional: QueryValue where Wrapped: QueryValue {}
extension Array: QueryValue where Element: QueryValue {}

extension URL: QueryTexts {
    fileprivate var texts: [String] { [absoluteString] }
}

extension Optional: QueryTexts where Wrapped: QueryValue {
    fileprivate var texts: [String] { map(\.queryTexts) ?? [] }
}

extension Array: QueryTexts where Element: QueryValue {
    fileprivate var texts: [String] { flatMap(\.queryTexts) }
}
