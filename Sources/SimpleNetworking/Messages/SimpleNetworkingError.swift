/// Tells why a request did not end in success: one case per reason, each with what was asked.
public indirect enum SimpleNetworkingError: Error, Sendable {
    /// No valid address could be made. Nothing was sent.
    case invalidURL(String, reason: String)
    /// The request cannot be sent as it is. Nothing was sent.
    case invalidRequest(reason: String, RequestHead?)
    /// No complete answer came: the host was not found, the connection broke, TLS failed, …
    case networkingError(NetworkFailure, RequestHead)
    /// The server answered 400...499.
    case clientError(SimpleResponse)
    /// The server answered 500...599.
    case serverError(SimpleResponse)
    /// The server's answer is neither an accepted one nor an error it names: a redirect without an address, a status
    /// outside 100...599, or one that a status handler kept refusing.
    case invalidResponse(SimpleResponse)
    /// The content is not what was expected.
    case decoding(DecodingFailure, SimpleResponse)
    /// An attempt took longer than its timeout, or the whole execution longer than its deadline.
    case timedOut(Timeout, RequestHead)
    /// The answer's content is larger than the limit, in bytes.
    case tooLarge(limit: Int, RequestHead)
    /// A redirect was not followed. The response is the redirect itself.
    case redirect(reason: String, SimpleResponse)
    /// No credential could be made or renewed, or the account that the request was made for is signed out.
    case authentication(AuthenticationFailure)
    /// A status handler's own requests came back to the same handler too often. Nothing was sent.
    case recursion(limit: Int, RequestHead)
    /// The request was to be answered from the response cache only, which has no answer to it. Nothing was sent.
    case notCached(RequestHead)
    /// `cancel()` was called, or the awaiting task was cancelled.
    case cancelled(RequestHead?)
    /// A status handler took the request over by returning false, and nobody is left who could still retry it; or
    /// `abandon()` was called.
    case abandoned(RequestHead?, SimpleResponse?)
    /// User code ended the request: `fail(_:)`, a hook, middleware or a transport of its own threw this. The response is
    /// the one that it had seen, if any.
    case failed(any Error, RequestHead?, SimpleResponse?)

    /// Names the limit that passed.
    public enum Timeout: Sendable, Hashable {
        /// One attempt's timeout, in seconds.
        case attempt(TimeInterval)
        /// The whole execution's deadline, in seconds.
        case deadline(TimeInterval)
        /// No connection came about in time, in seconds.
        case connect(TimeInterval)
        /// No byte moved for so many seconds.
        case idle(TimeInterval)
    }

    /// Names the type that content could not be decoded to, and where it failed.
    public struct DecodingFailure: Error, Sendable {
        /// The type that was asked for.
        public let type: String
        /// The keys that lead to the place of the failure, such as `items.0.name`; empty for the whole content.
        public let codingPath: String
        /// The number of the line, from 1, if the content came line by line; else nil.
        public let line: Int?
        /// The decoder's own error.
        public let underlying: any Error

        /// Makes a failure from what a decoder threw.
        public init(type: Any.Type, underlying: any Error, line: Int? = nil) {
            self.type = String(describing: type)
            self.underlying = underlying
            self.line = line
            let path: [any CodingKey] =
                switch underlying {
                case DecodingError.keyNotFound(let key, let context): context.codingPath + [key]
                case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
                    DecodingError.dataCorrupted(let context):
                    context.codingPath
                default: []
                }
            codingPath = path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        }
    }
}

extension SimpleNetworkingError {
    /// The server's answer, for every error that has one; its content is kept.
    public var response: SimpleResponse? {
        switch self {
        case .clientError(let response), .serverError(let response), .invalidResponse(let response),
            .decoding(_, let response), .redirect(_, let response):
            response
        case .abandoned(_, let response), .failed(_, _, let response): response
        case .authentication(let failure): failure.response
        default: nil
        }
    }

    /// What was asked, for every error that came after a valid request was made.
    public var request: RequestHead? {
        switch self {
        case .invalidURL: nil
        case .invalidRequest(_, let head), .cancelled(let head),
            .failed(_, let head, _):
            head
        case .networkingError(_, let head), .timedOut(_, let head), .tooLarge(_, let head), .recursion(_, let head),
            .notCached(let head):
            head
        case .authentication(let failure): failure.request ?? failure.response?.request
        case .abandoned(let head, let response): head ?? response?.request
        case .clientError, .serverError, .invalidResponse, .decoding, .redirect: response?.request
        }
    }

    /// Gives the content of the server's answer as a value, such as a problem that the API describes; nil if there is no
    /// answer, or its content is something else.
    ///
    /// ```swift
    /// } catch let error as SimpleNetworkingError {
    ///     print(error.content(as: Problem.self)?.message ?? error.description)
    /// }
    /// ```
    public func content<Value: Decodable & SendableMetatype>(
        as type: Value.Type,
        using decoder: any ResponseDecoder = JSONDecoder.standard
    ) -> Value? {
        try? response?.decode(type, using: decoder)
    }

    /// The server's status, for every error that has an answer.
    public var httpStatus: Int? { response?.httpStatus }

    /// Tells whether there was no response to be had: no connection, or none in time.
    var isLackOfResponse: Bool {
        switch self {
        case .networkingError, .timedOut: true
        default: false
        }
    }

    /// Tells whether the request was cancelled, which most callers do not want to report.
    public var isCancellation: Bool { if case .cancelled = self { true } else { false } }
}
