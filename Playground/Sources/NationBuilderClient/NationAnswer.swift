import SimpleNetworking

/// Holds what a call brought.
public struct NationAnswer<Value> {
    /// The results; nil for an answer without any, such as 204, and for a stored object that can't be read.
    public let value: Value?
    /// What can't be read: rows that are missing in a list, or the stored object.
    ///
    /// Empty if all can.
    public let unreadable: [SimpleNetworkingError.DecodingFailure]
    /// What to ask for the page after this one with; nil if the answer is no page.
    public let pagination: NationPagination?
    /// The answer itself, with its header fields.
    public let response: SimpleResponse

    init(_ results: ReadableResults<Value>?, pagination: NationPagination?, _ response: SimpleResponse)
    where Value: Decodable {
        value = results?.value
        unreadable = results?.unreadable ?? []
        self.pagination = pagination
        self.response = response
    }
}

extension NationAnswer: Sendable where Value: Sendable {}
