/// Holds the value that a response's body was decoded to, and the response.
public struct Response<Value> {
    /// The decoded body.
    public var value: Value
    /// The response, which has more than the properties here.
    public let response: SimpleResponse

    /// Makes a response, for tests.
    public init(value: Value, response: SimpleResponse) {
        self.value = value
        self.response = response
    }

    /// The body, decompressed.
    public var data: Data { response.data }
    /// The status code.
    public var httpStatus: Int { response.httpStatus }
    /// The status code by another name; see ``httpStatus``.
    public var statusCode: Int { httpStatus }
    /// The header fields; names are case-insensitive, repeated fields are kept.
    public var headers: HTTPHeaders { response.headers }
    /// The request as it was sent.
    public var request: RequestHead { response.request }
    /// The times of the attempt in seconds, and the bytes it sent and received.
    public var metrics: TransferMetrics { response.metrics }
    /// The number of the attempt, from 1.
    public var attempt: Int { response.attempt }

    /// Makes the same response with another value.
    public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Response<Other> {
        Response<Other>(value: try transform(value), response: response)
    }
}

extension Response: Sendable where Value: Sendable {}

extension Response: CustomStringConvertible {
    /// The request, the status and the size, with secrets hidden.
    public var description: String { response.description }
}
