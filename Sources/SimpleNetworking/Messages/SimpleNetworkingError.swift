/// Describes why a request failed: one case per reason, each with the request.
public indirect enum SimpleNetworkingError: Error, Sendable {
    /// There is no valid URL. Nothing was sent.
    case invalidURL(String, reason: String)
    /// The request cannot be sent as it is. Nothing was sent.
    case invalidRequest(reason: String, RequestHead?)
    /// No complete response came: the host was not found, the connection broke, TLS failed, …
    case networkingError(NetworkFailure, RequestHead)
    /// The status is 400...499.
    case clientError(SimpleResponse)
    /// The status is 500...599.
    case serverError(SimpleResponse)
    /// The status is unusable: a redirect without a URL, a status outside 100...599, or one that a handler kept
    /// refusing.
    case invalidResponse(SimpleResponse)
    /// The content cannot be decoded.
    case decoding(DecodingFailure, SimpleResponse)
    /// An attempt took longer than its timeout, or the whole execution longer than its deadline.
    case timedOut(Timeout, RequestHead)
    /// The response's content is larger than the limit, in bytes.
    case tooLarge(limit: Int, RequestHead)
    /// A redirect was not followed. The response is the redirect itself, whose content the package's transports discard.
    case redirect(reason: String, SimpleResponse)
    /// There is no valid credential, or the request's account is signed out.
    case authentication(AuthenticationFailure)
    /// A status handler's own requests came back to the same handler too often. Nothing was sent.
    case recursion(limit: Int, RequestHead)
    /// The request allows only a cached response, and there is none. Nothing was sent.
    case notCached(RequestHead)
    /// As many requests as may wait do so already. Nothing was sent.
    case queueFull(limit: Int, RequestHead)
    /// `cancel()` was called, or the awaiting task was cancelled.
    case cancelled(RequestHead?)
    /// A status handler handled the response and returned false, or `stop()` was called. Only completion handlers and
    /// awaiting callers get it.
    case stopped(RequestHead?, SimpleResponse?)
    /// A status handler returned false to take the request over, but the last reference to the request was released
    /// before it was retried or ended: a callback was lost.
    case abandoned(RequestHead?, SimpleResponse?)
    /// `fail(_:)`, a hook, middleware or your transport ended the request with this error, after this response, if any.
    case failed(any Error, request: RequestHead? = nil, response: SimpleResponse? = nil)

    /// Names the limit that passed.
    public enum Timeout: Sendable, Hashable {
        /// One attempt's timeout, in seconds.
        case attempt(TimeInterval)
        /// The whole execution's deadline, in seconds.
        case deadline(TimeInterval)
        /// The time to connect, in seconds.
        case connect(TimeInterval)
        /// The idle timeout, in seconds.
        case idle(TimeInterval)
    }

    /// Returns the case for any error from a transport, a hook or the caller's code.
    init(_ error: any Error, head: RequestHead?, response: SimpleResponse? = nil) {
        switch (error, head) {
        case (let error as SimpleNetworkingError, _): self = error
        case (let failure as UnusableURL, _): self = .invalidURL(failure.text, reason: failure.reason)
        // Otherwise it comes from something else that a hook waited for: this request was not cancelled.
        case (is CancellationError, _) where Task.isCancelled: self = .cancelled(head)
        case (let failure as NetworkFailure, let head?): self = .networkingError(failure, head)
        default: self = .failed(error, request: head, response: response)
        }
    }
}

extension SimpleNetworkingError {
    /// The server's response, for every error that has one; its content is kept.
    public var response: SimpleResponse? {
        switch self {
        case .clientError(let response), .serverError(let response), .invalidResponse(let response),
            .decoding(_, let response), .redirect(_, let response):
            response
        case .stopped(_, let response), .abandoned(_, let response), .failed(_, _, let response): response
        case .authentication(let failure): failure.response
        default: nil
        }
    }

    /// The request, for every error after a valid one was made.
    public var request: RequestHead? {
        switch self {
        case .invalidURL: nil
        case .invalidRequest(_, let head), .cancelled(let head): head
        case .networkingError(_, let head), .timedOut(_, let head), .tooLarge(_, let head), .recursion(_, let head),
            .notCached(let head), .queueFull(_, let head):
            head
        case .authentication(let failure): failure.request ?? failure.response?.request
        case .stopped(let head, let response), .abandoned(let head, let response), .failed(_, let head, let response):
            head ?? response?.request
        case .clientError, .serverError, .invalidResponse, .decoding, .redirect: response?.request
        }
    }

    /// Decodes the response's content, such as a problem that the API describes; nil if there is none, or it doesn't
    /// fit.
    ///
    /// ```swift
    /// } catch let error as SimpleNetworkingError {
    ///     print(error.content(as: Problem.self)?.message ?? error.description)
    /// }
    /// ```
    ///
    /// The default decoder is that of a new configuration: an error does not know the client's own.
    public func content<Value: Decodable & _SendableMetatype>(
        as type: Value.Type,
        using decoder: (any ResponseDecoder)? = nil
    ) -> Value? {
        try? response?.decode(type, using: decoder)
    }

    /// The response's status, for every error that has a response.
    public var httpStatus: Int? { response?.httpStatus }

    /// Tells whether there was no response: no connection, or none in time.
    var hasNoResponse: Bool {
        switch self {
        case .networkingError, .timedOut: true
        default: false
        }
    }

    /// Tells whether the request was cancelled, which most callers do not report.
    public var isCancellation: Bool { if case .cancelled = self { true } else { false } }
}

extension SimpleNetworkingError: DescribedError, Redacted {
    /// Says what was requested, what came back, and what to do, with secrets hidden.
    ///
    /// Of a 4xx or 5xx response with textual content, it shows the first 200 characters.
    var shownText: String {
        switch self {
        case .clientError(let response), .serverError(let response): hiding(sentence + response.excerpt)
        default: summary
        }
    }

    /// The description without content, for traces and logs, which show content only where configured.
    var summary: String { hiding(sentence) }

    /// The case with its response or its request.
    var shownMembers: KeyValuePairs<String, Any> {
        [caseName: response.map { $0 as Any } ?? request.map { $0 as Any } ?? description]
    }

    private func hiding(_ text: String) -> String { request?.hiding(text) ?? text }

    private var sentence: String {
        let subject = request.map(\.description) ?? "The request"
        return switch self {
        case .invalidURL(let text, let reason): "“\(Redaction.text(ofURL: text))” makes no URL: \(reason)."
        case .invalidRequest(let reason, _): "\(subject) was not sent: \(reason)."
        case .networkingError(let failure, _): "\(subject) got no response: \(failure)."
        case .clientError(let response): "\(subject) was refused with status \(response.httpStatus)."
        case .serverError(let response):
            "\(subject) failed on the server with status \(response.httpStatus). Trying again later may help."
        case .invalidResponse(let response): "\(subject) got status \(response.httpStatus), which is not acceptable."
        case .decoding(let failure, let response):
            "\(subject) got status \(response.httpStatus), but the content could not be decoded as \(failure)."
        case .timedOut(let timeout, _): "\(subject) \(timeout)."
        case .tooLarge(let limit, _):
            "\(subject) got more than \(limit) bytes. Raise maxResponseSize, or download to a file."
        case .redirect(let reason, _): "\(subject) was redirected, and the redirect was not followed: \(reason)."
        case .authentication(let failure): "\(subject) could not be authenticated: \(failure.reason)"
        case .recursion(let limit, _):
            "\(subject) was not sent: status handlers made it while they already wait for \(limit) requests of their own. "
                + "Give it a status handler of its own, so that it does not set off the one that made it."
        case .notCached: "\(subject) allows only a cached response, and the cache has none for it."
        case .queueFull(let limit, _): "\(subject) was not sent: \(limit) requests wait already."
        case .cancelled: "\(subject) was cancelled."
        case .stopped(_, let response):
            "\(subject) was stopped by a handler after \(response.map { "status \($0.httpStatus)" } ?? "no response")."
        case .abandoned(_, let response):
            "\(subject) was abandoned after \(response.map { "status \($0.httpStatus)" } ?? "no response"): a handler "
                + "returned false and kept the request, but released it without retry(), fail(_:), succeed(with:) or "
                + "stop(). A callback may have been lost."
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

extension SimpleNetworkingError.Timeout: Described {
    /// What took too long, as the end of a sentence.
    var shownText: String {
        func text(_ seconds: TimeInterval) -> String {
            seconds == seconds.rounded() && abs(seconds) < 1e9 ? "\(Int(seconds)) s" : "\(seconds) s"
        }
        return switch self {
        case .attempt(let seconds): "got no complete response within its timeout of \(text(seconds))"
        case .deadline(let seconds): "did not end within its deadline of \(text(seconds)), all attempts included"
        case .connect(let seconds): "got no connection within \(text(seconds))"
        case .idle(let seconds): "saw no byte for \(text(seconds))"
        }
    }
}
