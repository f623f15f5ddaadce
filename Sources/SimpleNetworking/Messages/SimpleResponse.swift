/// Holds a server's complete answer.
///
/// Content is parsed only when asked for.
public struct SimpleResponse: Sendable {
    private struct Content: Sendable {
        let request: RequestHead
        let answer: Boxed<Answer>
        let attempt: Int
        let acceptableStatuses: HTTPStatuses
    }

    // Errors, outcomes and events carry it: one reference keeps them all small.
    private let content: Boxed<Content>

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
        let answer = Answer(request: request, status: httpStatus, headers: headers, body: data, metrics: timings)
        self.init(
            request: request,
            answer: Boxed(answer),
            attempt: attempt,
            acceptableStatuses: acceptableStatuses
        )
    }

    init(request: RequestHead, answer: Boxed<Answer>, attempt: Int, acceptableStatuses: HTTPStatuses) {
        content = Boxed(
            Content(request: request, answer: answer, attempt: attempt, acceptableStatuses: acceptableStatuses)
        )
    }

    private var answer: Answer { content.value.answer.value }

    /// The request as it was sent: after redirects, and with the header fields of this attempt.
    public var request: RequestHead { content.value.request }
    /// The status code.
    public var httpStatus: Int { answer.status }
    /// The header fields; names are found in any case, repeated fields are kept.
    public var headers: HTTPHeaders { answer.headers }
    /// The content, decompressed.
    public var data: Data { answer.body }
    /// The number of the attempt that brought it, from 1.
    public var attempt: Int { content.value.attempt }
    /// How long the attempt took, in seconds, and what it moved.
    public var timings: TransferMetrics { answer.metrics }
    /// The statuses that count as success, by default 200...299.
    public var acceptableStatuses: HTTPStatuses { content.value.acceptableStatuses }

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

extension SimpleResponse: CustomStringConvertible, CustomReflectable {
    /// The request, the status and the size, with secrets hidden.
    public var description: String { "\(request) → \(httpStatus), \(data.count) bytes" }

    /// Shows request, status, header fields and size to `dump` and debuggers, with secrets hidden.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "request": request, "httpStatus": httpStatus, "headers": request.shown(headers),
            "data": "\(data.count) bytes", "attempt": attempt, "timings": timings,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
