/// Holds a server's complete answer. Content is parsed only when asked for.
public struct SimpleResponse: Sendable {
    /// The request as it was sent: after redirects, and with the header fields of this attempt.
    public let request: RequestHead
    /// The status code.
    public let httpStatus: Int
    /// The header fields; names are found in any case, repeated fields are kept.
    public let headers: HTTPHeaders
    /// The content, decompressed.
    public let data: Data
    /// The number of the attempt that brought it, from 1.
    public let attempt: Int
    /// How long the attempt took, in seconds, and what it moved.
    public let timings: TransferMetrics
    /// The statuses that count as success. The default is 200...299.
    public let acceptableStatuses: HTTPStatuses

    /// Makes a response, for tests and for `succeed(with:)`.
    public init(
        request: RequestHead,
        httpStatus: Int = 200,
        headers: HTTPHeaders = [:],
        data: Data = Data(),
        attempt: Int = 1,
        timings: TransferMetrics = TransferMetrics(),
        acceptableStatuses: HTTPStatuses = .successful
    ) {
        self.request = request
        self.httpStatus = httpStatus
        self.headers = headers
        self.data = data
        self.attempt = attempt
        self.timings = timings
        self.acceptableStatuses = acceptableStatuses
    }

    /// Tells whether the status is an accepted one.
    public var success: Bool { acceptableStatuses.contains(httpStatus) }

    /// The error that this answer means, or nil for success.
    public var error: SimpleNetworkingError? {
        if success { return nil }
        return switch httpStatus {
        case 400...499: .clientError(self)
        case 500...599: .serverError(self)
        default: .invalidResponse(self)
        }
    }

    /// The answer as Foundation has it, without content.
    public var httpResponse: HTTPURLResponse? {
        HTTPURLResponse(
            url: request.url,
            statusCode: httpStatus,
            httpVersion: "HTTP/1.1",
            headerFields: headers.dictionary
        )
    }
}

extension SimpleResponse: CustomStringConvertible {
    /// The request, the status and the size, with secrets hidden.
    public var description: String { "\(request) → \(httpStatus), \(data.count) bytes" }
}
