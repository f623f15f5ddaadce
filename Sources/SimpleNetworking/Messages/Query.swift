/// Holds the pairs of an address's query in order: `[("page", "2"), ("tag", nil)]` or `["page": 2, "tag": nil]`.
///
/// Pairs keep their order, and a name may come twice; the pairs of a dictionary are sorted by name. A nil value drops
/// its pair, an array gives its name once per element. Names and values are plain text: whatever means something in an
/// address is encoded, `+` and `%` too. Use `raw(_:)` for text that is encoded already.
public struct Query: Sendable, Hashable {
    private enum Item: Hashable {
        case pair(name: String, value: String)
        case raw(String)
    }

    private var items: [Item] = []

    /// Makes an empty query.
    public init() {}

    /// Makes a query from pairs or from a dictionary.
    public init(_ content: some QueryConvertible) { self = content.query }

    /// Makes a query from pairs that all have values.
    public init(_ pairs: [(String, String)]) {
        items = pairs.map { .pair(name: $0.0, value: $0.1) }
    }

    /// Makes a query from a dictionary of unlike values, sorted by name.
    @_disfavoredOverload
    public init(_ values: [String: (any QueryValue)?]) {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { append(name, value) }
    }

    /// Gives a query that is sent as written, such as `.raw("q=a+b")`; only what an address may not hold is encoded.
    public static func raw(_ text: String) -> Query {
        var query = Query()
        if !text.isEmpty { query.items = [.raw(text)] }
        return query
    }

    /// Gives a pair that is sent as written: `.raw(name: "q", value: "a+b")`.
    public static func raw(name: String, value: String) -> Query { raw(name + "=" + value) }

    /// Tells whether there is nothing to send.
    public var isEmpty: Bool { items.isEmpty }

    /// Adds a pair, or one for each value of an array; nil adds nothing.
    public mutating func append(_ name: String, _ value: (any QueryValue)?) {
        // The usual case, kept free of an array for one value.
        if let text = value as? String { return items.append(.pair(name: name, value: text)) }
        items += value?.queryTexts.map { .pair(name: name, value: $0) } ?? []
    }

    /// Adds the pairs of another query after those of this one.
    public mutating func append(_ other: Query) { items += other.items }

    /// Gives the pairs of both, in order.
    public static func + (left: Query, right: Query) -> Query {
        var sum = left
        sum.append(right)
        return sum
    }

    /// The query as it stands in an address, without `?`.
    var encoded: String { encoded { PercentEncoding.encode($0, keeping: PercentEncoding.unreserved) } }

    /// The pairs, written with an encoding of names and values.
    func encoded(_ encode: (String) -> String) -> String {
        var text = ""
        for item in items {
            if !text.isEmpty { text += "&" }
            switch item {
            case .pair(let name, let value):
                text += encode(name)
                text += "="
                text += encode(value)
            case .raw(let raw):
                text += PercentEncoding.encode(raw, keeping: PercentEncoding.query, keepsTriplets: true)
            }
        }
        return text
    }
}

extension Query: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Makes a query from pairs, such as `[("page", 2), ("tag", nil)]`.
    public init(arrayLiteral pairs: (String, (any QueryValue)?)...) {
        for (name, value) in pairs { append(name, value) }
    }

    /// Makes a query from a dictionary such as `["page": 2, "tag": nil]`, sorted by name.
    public init(dictionaryLiteral pairs: (String, (any QueryValue)?)...) {
        for (name, value) in pairs.sorted(by: { $0.0 < $1.0 }) { append(name, value) }
    }
}

extension Query: CustomStringConvertible, CustomReflectable {
    /// The query as it is sent, with the values of secret names hidden.
    public var description: String { Redaction.text(ofQuery: encoded[...]) }

    /// Shows no more than the description does.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
