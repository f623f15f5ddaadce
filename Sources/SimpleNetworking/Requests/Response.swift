/// Holds the value that an answer's content was decoded to, and the answer.
public struct Response<Value> {
    /// The decoded content.
    public var value: Value
    /// The answer.
    public let response: SimpleResponse

    /// Makes a response, for tests.
    public init(value: Value, response: SimpleResponse) {
        self.value = value
        self.response = response
    }

    /// The content, decompressed.
    public var data: Data { response.data }
    /// The status code.
    public var statusCode: Int { response.httpStatus }
    /// The header fields; names are found in any case, repeated fields are kept.
    public var headers: HTTPHeaders { response.headers }
    /// The request as it was sent.
    public var request: RequestHead { response.request }
    /// How long the attempt took, in seconds, and what it moved.
    public var metrics: TransferMetrics { response.timings }
    /// The number of the attempt that brought it, from 1.
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
