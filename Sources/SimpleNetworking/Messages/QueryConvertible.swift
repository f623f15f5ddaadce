/// Says what can be given as a query: `[(String, String?)]`, a dictionary with `String` keys, or a `Query`.
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
    public var query: Query {
        var query = Query()
        for (name, value) in self { query.append(name, value) }
        return query
    }
}

extension Dictionary: QueryConvertible where Key == String, Value: QueryValue {
    /// The pairs, sorted by name.
    public var query: Query {
        var query = Query()
        for (name, value) in sorted(by: { $0.key < $1.key }) { query.append(name, value) }
        return query
    }
}
