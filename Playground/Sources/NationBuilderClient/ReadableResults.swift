import SimpleNetworking

/// The results of a call that can be decoded: an unreadable row is left out of a list.
struct ReadableResults<Value: Decodable>: Decodable {
    typealias Failure = SimpleNetworkingError.DecodingFailure

    /// nil if the results can't be decoded, even though the service has stored the content.
    let value: Value?
    let unreadable: [Failure]

    init(from decoder: any Decoder) throws {
        guard let list = Value.self as? any RowList.Type else {
            (value, unreadable) = (try Value(from: decoder), [])
            return
        }
        let (rows, failures) = try list.readable(from: decoder)
        (value, unreadable) = (rows as? Value, failures)
    }
}

/// A row of a list, or why it can't be decoded.
struct ReadableRow<Item: Decodable>: Decodable {
    let item: Item?
    let failure: SimpleNetworkingError.DecodingFailure?

    init(from decoder: any Decoder) {
        do {
            (item, failure) = (try Item(from: decoder), nil)
        } catch {
            (item, failure) = (nil, .init(type: Item.self, underlying: error))
        }
    }
}

extension ReadableRow: Sendable where Item: Sendable {}

/// A list whose rows are decoded one by one.
private protocol RowList {
    static func readable(
        from decoder: any Decoder
    ) throws -> (rows: Self, unreadable: [SimpleNetworkingError.DecodingFailure])
}

extension Array: RowList where Element: Decodable {
    fileprivate static func readable(
        from decoder: any Decoder
    ) throws -> (rows: Self, unreadable: [SimpleNetworkingError.DecodingFailure]) {
        let rows = try [ReadableRow<Element>](from: decoder)
        return (rows.compactMap(\.item), rows.compactMap(\.failure))
    }
}

/// A type with an error for values that must not be decoded.
protocol UnreadableValue { init(unreadable error: any Error) }

extension ReadableResults: UnreadableValue {
    init(unreadable error: any Error) {
        (value, unreadable) = (nil, [.init(type: Value.self, underlying: error)])
    }
}

extension Optional: UnreadableValue where Wrapped: UnreadableValue {
    init(unreadable error: any Error) { self = .some(Wrapped(unreadable: error)) }
}
