import SimpleNetworkingSupport

/// Describes why a request failed, with one case per reason.
public indirect enum SimpleNetworkingError: Error, Sendable {
    /// The URL isn't valid. Nothing was sent.
    case invalidURL(String, reason: String)
    /// The request isn't valid. Nothing was sent.
    case invalidRequest(reason: String, RequestHead?)
    /// No complete response arrived, for example, because of an unknown host or a lost connection.
    case networkingError(NetworkFailure, RequestHead)
    /// The response's status is 400...499.
    case clientError(SimpleResponse)
    /// The response's status is 500...599.
    case serverError(SimpleResponse)
    /// The response's status is unusable.
    ///
    /// Examples are a redirect without a URL, a status outside 100...599, and a successful status that a handler
    /// rejects until no retries are left.
    case invalidResponse(SimpleResponse)
    /// The type of the response's content isn't one of those passed to `acceptable(types:)`.
    ///
    /// For a file or a stream, the response has no content, because the transfer ended after the header fields.
    case unacceptableContentType(acceptable: [MediaType], SimpleResponse)
    /// The response's content couldn't be decoded.
    case decoding(DecodingFailure, SimpleResponse)
    /// An attempt took longer than its timeout, or the whole execution took longer than its deadline.
    case timedOut(Timeout, RequestHead)
    /// The response's content exceeds `limit` bytes.
    case tooLarge(limit: Int, RequestHead)
    /// A redirect, or a link in a response, wasn't followed.
    ///
    /// The response is the redirect itself, or the one with the link. The package's transports discard the content of a
    /// redirect.
    case redirect(reason: String, SimpleResponse)
    /// There is no valid credential, or the request's account is signed out.
    case authentication(AuthenticationFailure)
    /// Requests made by a status handler triggered the same handler too often. Nothing was sent.
    case recursion(limit: Int, RequestHead)
    /// The request allows only a cached response, and no matching response is cached. Nothing was sent.
    case notCached(RequestHead)
    /// The maximum number of requests was already waiting. Nothing was sent.
    case queueFull(limit: Int, RequestHead)
    /// `cancel()` was called, or the awaiting task was cancelled.
    case cancelled(RequestHead?)
    /// A status handler handled the response and returned false, or `stop()` was called.
    ///
    /// Only completion handlers and awaiting callers receive this error.
    case stopped(RequestHead?, SimpleResponse?)
    /// A status handler took over the request, but released it before the request was retried or ended.
    ///
    /// This error occurs if a callback is released without being called. `after` is the error of the last request that
    /// the handler made and that failed, such as a sign-in; nil if there is none. The error also occurs if a subclass's
    /// `execute(request:)` releases a request that it hasn't passed to `super`; `request` and `response` are then nil.
    case abandoned(RequestHead?, SimpleResponse?, after: SimpleNetworkingError? = nil)
    /// `fail(_:)`, a hook, middleware or your own transport ended the request with this error.
    ///
    /// `response` is the response that had arrived by then, if any.
    case failed(any Error, request: RequestHead? = nil, response: SimpleResponse? = nil)

    /// Describes the time limit that was exceeded.
    public enum Timeout: Sendable, Hashable {
        /// One attempt's timeout, in seconds.
        case attempt(TimeInterval)
        /// The whole execution's deadline, in seconds.
        case deadline(TimeInterval)
        /// The connection timeout, in seconds.
        case connect(TimeInterval)
        /// The idle timeout, in seconds.
        case idle(TimeInterval)
    }

    /// Creates the matching case for any error from a transport, a hook or the caller's code.
    package init(_ error: any Error, head: RequestHead?, response: SimpleResponse? = nil) {
        switch (error, head) {
        case (let error as SimpleNetworkingError, _): self = error
        case (let failure as UnusableURL, _): self = .invalidURL(failure.text, reason: failure.reason)
        // Otherwise the error comes from something else that a hook waited for, and this request wasn't cancelled.
        case (is CancellationError, _) where Task.isCancelled: self = .cancelled(head)
        case (let failure as NetworkFailure, let head?): self = .networkingError(failure, head)
        default: self = .failed(error, request: head, response: response)
        }
    }
}

extension SimpleNetworkingError {
    /// The server's response, including its content; nil if the error has no response.
    public var response: SimpleResponse? {
        switch self {
        case .clientError(let response), .serverError(let response), .invalidResponse(let response),
            .unacceptableContentType(_, let response), .decoding(_, let response), .redirect(_, let response):
            response
        case .stopped(_, let response), .abandoned(_, let response, _), .failed(_, _, let response): response
        case .authentication(let failure): failure.response
        default: nil
        }
    }

    /// The request; nil if the error occurred before a valid request was created.
    public var request: RequestHead? {
        switch self {
        case .invalidURL: nil
        case .invalidRequest(_, let head), .cancelled(let head): head
        case .networkingError(_, let head), .timedOut(_, let head), .tooLarge(_, let head), .recursion(_, let head),
            .notCached(let head), .queueFull(_, let head):
            head
        case .authentication(let failure): failure.request ?? failure.response?.request
        case .stopped(let head, let response), .abandoned(let head, let response, _),
            .failed(_, let head, let response):
            head ?? response?.request
        case .clientError, .serverError, .invalidResponse, .unacceptableContentType, .decoding, .redirect:
            response?.request
        }
    }

    /// Decodes the response's content, such as an API's error object; returns nil if decoding fails.
    ///
    /// ```swift
    /// } catch let error as SimpleNetworkingError {
    ///     print(error.content(as: Problem.self)?.message ?? error.description)
    /// }
    /// ```
    ///
    /// The default decoder is the client's. If content can't be decoded, the client's logger writes a warning.
    public func content<Value: Decodable & _SendableMetatype>(
        as type: Value.Type,
        using decoder: (any ResponseDecoder)? = nil
    ) -> Value? {
        response?.content(as: type, using: decoder)
    }

    /// The response's status; nil if the error has no response.
    public var httpStatus: Int? { response?.httpStatus }

    /// Whether there was no response, because of a connection failure or a timeout.
    package var hasNoResponse: Bool {
        switch self {
        case .networkingError, .timedOut: true
        default: false
        }
    }

    /// Whether the request was cancelled, which most callers don't report.
    public var isCancellation: Bool { if case .cancelled = self { true } else { false } }
}

extension SimpleNetworkingError: DescribedError, Redacted {
    /// A description of the request, the result and what to do, with secrets hidden.
    ///
    /// For a 4xx or 5xx response with textual content, the description contains the first 200 characters of the
    /// content.
    package var shownText: String {
        switch self {
        case .clientError(let response), .serverError(let response): hiding(sentence + response.excerpt)
        default: summary
        }
    }

    /// The description without content, for traces and logs, which show content only if they are configured to do so.
    var summary: String { hiding(sentence) }

    /// The case with its response or request.
    package var shownMembers: KeyValuePairs<String, Any> {
        [caseName: response.map { $0 as Any } ?? request.map { $0 as Any } ?? description]
    }

    private func hiding(_ text: String) -> String { request?.hiding(text) ?? text }

    private var sentence: String {
        let subject = request.map(\.description) ?? "The request"
        return switch self {
        case .invalidURL(let text, let reason): "“\(Redaction.text(ofURL: text))” is not a valid URL: \(reason)."
        case .invalidRequest(let reason, _): "\(subject) was not sent: \(reason)."
        case .networkingError(let failure, _): "\(subject) got no response: \(failure)."
        case .clientError(let response): "\(subject) was refused with status \(response.httpStatus)."
        case .serverError(let response):
            "\(subject) failed on the server with status \(response.httpStatus). Trying again later may help."
        case .invalidResponse(let response) where response.isSuccess:
            "\(subject) got status \(response.httpStatus), and is not retried again."
        case .invalidResponse(let response): "\(subject) got status \(response.httpStatus), which is not acceptable."
        case .unacceptableContentType(let types, let response):
            "\(subject) got status \(response.httpStatus), but its Content-Type "
                + (response.headers["Content-Type"].map { "is “\($0)”" } ?? "is missing")
                + ". Acceptable types: \(types.map(\.rawValue).joined(separator: ", "))."
        case .decoding(let failure, let response):
            "\(subject) got status \(response.httpStatus), but the content could not be decoded as \(failure)."
        case .timedOut(let timeout, _): "\(subject) \(timeout)."
        case .tooLarge(let limit, _):
            "\(subject) got more than \(limit) bytes. Raise maxResponseSize, or download to a file within maxDownloadSize."
        case .redirect(let reason, let response) where (300...399).contains(response.httpStatus):
            "\(subject) was redirected, and the redirect was not followed: \(reason)."
        case .redirect(let reason, let response):
            "\(subject) got status \(response.httpStatus), but the link to the next page was not followed: \(reason)."
        case .authentication(let failure): "\(subject) could not be authenticated: \(failure.reason)"
        case .recursion(let limit, _):
            "\(subject) was not sent: status handlers already wait for \(limit) requests of their own. "
                + "Give this request its own status handler, so that it does not trigger the one that made it."
        case .notCached: "\(subject) allows only a cached response, and the cache has none for it."
        case .queueFull(let limit, _): "\(subject) was not sent: \(limit) requests are already waiting."
        case .cancelled: "\(subject) was cancelled."
        case .stopped(_, let response):
            "\(subject) was stopped by a handler after \(response.map { "status \($0.httpStatus)" } ?? "no response")."
        case .abandoned: "\(subject) \(abandonment)"
        case .failed(let error, _, _): "\(subject) failed: \(error.words)."
        }
    }

    private var caseName: String {
        switch self {
        case .invalidURL: "invalidURL"
        case .invalidRequest: "invalidRequest"
        case .networkingError: "networkingError"
        case .clientError: "clientError"
        case .serverError: "serverError"
        case .invalidResponse: "invalidResponse"
        case .unacceptableContentType: "unacceptableContentType"
        case .decoding: "decoding"
        case .timedOut: "timedOut"
        case .tooLarge: "tooLarge"
        case .redirect: "redirect"
        case .authentication: "authentication"
        case .recursion: "recursion"
        case .notCached: "notCached"
        case .queueFull: "queueFull"
        case .cancelled: "cancelled"
        case .stopped: "stopped"
        case .abandoned: "abandoned"
        case .failed: "failed"
        }
    }
}
