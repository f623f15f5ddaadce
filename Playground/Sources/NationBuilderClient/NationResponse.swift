import SimpleNetworking

/// The result of a call.
public struct NationResponse<Value> {
    /// The results; nil for a response without any, such as 204, and for a stored object that can't be decoded.
    public let value: Value?
    /// Why rows of a list, or the stored object, can't be decoded.
    ///
    /// Empty if all were decoded.
    public let unreadable: [SimpleNetworkingError.DecodingFailure]
    /// The parameters of the next page; nil if the response is not a page.
    public let pagination: NationPagination?
    /// The response itself, with its header fields.
    public let response: SimpleResponse

    init(_ results: ReadableResults<Value>?, pagination: NationPagination?, _ response: SimpleResponse)
    where Value: Decodable {
        value = results?.value
        unreadable = results?.unreadable ?? []
        self.pagination = pagination
        self.response = response
    }
}

extension NationResponse: Sendable where Value: Sendable {}
