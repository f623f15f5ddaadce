import SimpleNetworkingSupport

/// Holds the value that was decoded from a response's body, and the response itself.
///
/// You can read the response's properties directly: `data`, `httpStatus`, `headers`, `metrics`, `request` and so on.
@dynamicMemberLookup
public struct Response<Value> {
    /// The decoded body.
    public var value: Value
    /// The response to the request.
    public let response: SimpleResponse

    /// Creates a response for use in tests.
    public init(value: Value, response: SimpleResponse) {
        self.value = value
        self.response = response
    }

    /// Returns a property of the response.
    public subscript<Member>(dynamicMember property: KeyPath<SimpleResponse, Member>) -> Member {
        response[keyPath: property]
    }

    /// An alias for `httpStatus` that uses the Get library's name for the status code.
    public var statusCode: Int { response.httpStatus }

    /// Returns the same response with a transformed value.
    public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Response<Other> {
        Response<Other>(value: try transform(value), response: response)
    }
}

extension Response: Sendable where Value: Sendable {}

extension Response: Described {
    /// The request, the status and the size, with secrets hidden.
    package var shownText: String { response.description }
}
