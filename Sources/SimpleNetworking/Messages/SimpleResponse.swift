/// Holds a server's complete answer.
///
/// Content is parsed only when asked for.
public struct SimpleResponse: Sendable {
    // Errors, outcomes and events carry it: one reference keeps them all small.
    private final class Storage: Sendable {
        let request: RequestHead
        let httpStatus: Int
        let headers: HTTPHeaders
        let data: Data
        let attempt: Int
        let timings: TransferMetrics
        let acceptableStatuses: HTTPStatuses

        init(
            _ request: RequestHead,
            _ httpStatus: Int,
            _ headers: HTTPHeaders,
            _ data: Data,
            _ attempt: Int,
            _ timings: TransferMetrics,
            _ acceptableStatuses: HTTPStatuses
        ) {
            self.request = request
            self.httpStatus = httpStatus
            self.headers = headers
            self.data = data
            self.attempt = attempt
            self.timings = timings
            self.acceptableStatuses = acceptableStatuses
        }
    }

    private let storage: Storage

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
        storage = Storage(request, httpStatus, headers, data, attempt, timings, acceptableStatuses)
    }

    /// The request as it was sent: after redirects, and with the header fields of this attempt.
    public var request: RequestHead { storage.request }
    /// The status code.
    public var httpStatus: Int { storage.httpStatus }
    /// The header fields; names are found in any case, repeated fields are kept.
    public var headers: HTTPHeaders { storage.headers }
    /// The content, decompressed.
    public var data: Data { storage.data }
    /// The number of the attempt that brought it, from 1.
    public var attempt: Int { storage.attempt }
    /// How long the attempt took, in seconds, and what it moved.
    public var timings: TransferMetrics { storage.timings }
    /// The statuses that count as success, by default 200...299.
    public var acceptableStatuses: HTTPStatuses { storage.acceptableStatuses }

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
