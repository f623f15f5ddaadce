/// Holds the content of a request, in a form that can be sent again.
public enum RequestBody: Sendable {
    /// Sends no content.
    case none
    /// Sends these bytes.
    case data(Data)
    /// Streams a file's content, reading the file during the transfer.
    case file(URL)
    /// Sends the content of a stream, which `make` opens for each attempt.
    ///
    /// `length` is the number of bytes, or nil if it is unknown.
    case stream(length: Int?, make: @Sendable () -> InputStream?)
    /// Sends the chunks of an asynchronous sequence.
    ///
    /// `length` is the number of bytes, or nil if it is unknown.
    case chunks(length: Int?, BodyChunks)

    /// Whether the request has no content.
    var isNone: Bool { if case .none = self { true } else { false } }

    /// Whether the content has a known length, and can be read again from any byte.
    var isReadableFromAnyByte: Bool {
        switch self {
        case .data, .file: true
        case .none, .stream, .chunks: false
        }
    }

    /// Whether the content can be sent again after part of it was sent.
    var mayBeginAgain: Bool {
        switch self {
        case .none, .data, .file: true
        case .stream, .chunks: false
        }
    }
}

extension RequestBody: Described, Redacted {
    /// The kind and size of the content.
    var shownText: String {
        switch self {
        case .none: "no content"
        case .data(let data): "\(data.count) bytes"
        case .file(let url): "the content of \(url.path)"
        case .stream(let length, _), .chunks(let length, _):
            "a stream of \(length.map { "\($0)" } ?? "an unknown number of") bytes"
        }
    }
}

/// Holds the content that a request will send.
///
/// The client reports an encoding failure when it executes the request, so that the request's handlers receive it.
indirect enum BodyContent: Sendable {
    case none
    /// Content that is ready to send, and the secrets in it.
    case ready(RequestBody, MediaType, isAssumed: Bool = false, secrets: [String] = [])
    /// A value to encode at execution, with the client's encoder.
    case encodable(any Encodable & Sendable)
    case multipart(Multipart)
    case failed(SimpleNetworkingError)

    var isNone: Bool { if case .none = self { true } else { false } }

    /// Identifies who chose the content type, which determines what overrides it.
    enum TypeChoice {
        /// The library chose the type, so the client's default overrides it.
        case assumed
        /// The caller chose the type, so only the request's own field overrides it.
        case named
        /// The type contains the boundary, without which the content can't be read (RFC 7578 §4.1).
        case multipart
    }

    var typeChoice: TypeChoice {
        switch self {
        case .ready(_, _, let isAssumed, _): isAssumed ? .assumed : .named
        case .multipart: .multipart
        case .none, .encodable, .failed: .assumed
        }
    }

    static func text(_ text: String, _ type: MediaType = .text, isAssumed: Bool = false) -> BodyContent {
        .ready(.data(Data(text.utf8)), type, isAssumed: isAssumed)
    }

    static func form(_ pairs: Query) -> BodyContent { .text(pairs.formEncoded, .form) }

    /// Encodes dictionaries, arrays and fragments immediately, because they may change before the execution.
    static func json(_ object: Any?) -> BodyContent {
        do {
            return .ready(.data(try JSONObjectWriter.data(of: object)), .json, isAssumed: true)
        } catch {
            return .failed(.invalidRequest(reason: error.reason, nil))
        }
    }

    /// Encodes a value immediately, because it may not be Sendable.
    static func json(encoding value: some Encodable, with encoder: JSONEncoder) -> BodyContent {
        let memory = SecretMemory()
        do {
            let body = RequestBody.data(try data(of: value, using: encoder, noting: memory))
            return .ready(body, .json, isAssumed: true, secrets: memory.values)
        } catch {
            return .failed(error)
        }
    }

    /// Returns the content for the value of a typed request.
    ///
    /// `Data` and `String` are sent unchanged, nil results in no content, and other values are encoded as JSON.
    static func typed(_ value: (any Encodable & Sendable)?) -> BodyContent {
        switch value {
        case let data as Data: .ready(.data(data), .json, isAssumed: true)
        case let text as String: .text(text, .json, isAssumed: true)
        case let optional as any OptionalValue where optional.wrapped == nil: .none
        case let value?: .encodable(value)
        case nil: .none
        }
    }

    /// Returns the encoded body and its `Content-Type`.
    func encoded(
        with encoder: @autoclosure () -> JSONEncoder,
        noting memory: SecretMemory? = nil
    ) throws(SimpleNetworkingError) -> (RequestBody, MediaType?) {
        switch self {
        case .none: return (.none, nil)
        case .ready(let body, let type, _, let secrets):
            for secret in secrets { memory?.note(secret) }
            return (body, type)
        case .multipart(let parts): return (try parts.encoded(), parts.mediaType)
        case .failed(let error): throw error
        case .encodable(let value): return (.data(try Self.data(of: value, using: encoder(), noting: memory)), .json)
        }
    }

    private static func data(
        of value: some Encodable,
        using encoder: JSONEncoder,
        noting memory: SecretMemory?
    ) throws(SimpleNetworkingError) -> Data {
        do {
            return try Secret.$memory.withValue(memory) { try encoder.encode(value) }
        } catch {
            let failure = CodingFailure(error)
            let reason = "\(type(of: value)) cannot be encoded as JSON\(failure.place) (\(failure.words))"
            throw .invalidRequest(reason: reason, nil)
        }
    }
}

/// Produces the content of a request in chunks, as it is sent.
///
/// ```swift
/// api.post("/echo") { request in
///   request.body(chunks: BodyChunks { words.map { Data($0.utf8) } }, contentType: .text)
/// }
/// ```
///
/// The client requests each chunk only after it has sent the previous one, so a slow server also slows down the
/// sequence. With libcurl, you can read the response while the client is still sending the request; `bytes(for:)` then
/// allows two-way communication. The upload stops at a redirect or an error. A successful response ends the request
/// only after the sequence has also ended. URLSession needs the complete content before it can send the request, so the
/// transport for URLSession first writes the content to a temporary file.
///
/// In your own middleware and transports, iterate over the value as an asynchronous sequence of chunks. Each iteration
/// produces the content again. Middleware can replace the value with a sequence that changes each chunk:
///
/// ```swift
/// guard case .chunks(_, let chunks) = request.body else { return try await next(request) }
/// var request = request
/// request.body = .chunks(length: nil, BodyChunks(trailers: chunks.trailers) { chunks.map(encrypt) })
/// ```
public struct BodyChunks: AsyncSequence, Sendable {
    /// Produces the chunks of the content, in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let read: () async throws -> Data?

        fileprivate init(reading read: @escaping () async throws -> Data?) { self.read = read }

        fileprivate init<Iterator: AsyncIteratorProtocol & _SendableMetatype>(
            _ iterator: Iterator
        ) where Iterator.Element == Data {
            var iterator = iterator
            read = { try await iterator.next() }
        }

        /// Returns the next chunk, which may be empty, or nil at the end.
        ///
        /// - Throws: Any error that the caller's sequence throws.
        public mutating func next() async throws -> Data? { try await read() }
    }

    private let iterate: @Sendable () -> AsyncIterator
    /// A closure that creates the trailer fields, such as a checksum; nil if the content has no trailers.
    ///
    /// Call the closure after the sequence has ended.
    public let trailers: (@Sendable () async throws -> HTTPHeaders)?

    /// Creates content that an asynchronous sequence provides in chunks.
    ///
    /// If the sequence throws an error, the request ends with `.failed`, or with `.cancelled` if the error is a
    /// cancellation. If the request ends early, the client cancels the task that runs the sequence.
    ///
    /// - Parameters:
    ///   - trailers: A closure that creates the trailer fields, such as a checksum (RFC 9110 §6.5), after the sequence
    ///     has ended. libcurl sends trailers only over HTTP/1.1, and only for content of unknown length. Over HTTP/2,
    ///     libcurl omits trailers. With URLSession, a request with trailers fails with `.invalidRequest`.
    ///   - make: A closure that creates the sequence. The client calls this closure each time it sends the content: for
    ///     each attempt, for each redirect that requires the content again, and whenever the engine repeats an attempt.
    ///     Each sequence runs in its own task, and may begin before an earlier, cancelled sequence has ended.
    public init<Chunks: AsyncSequence & _SendableMetatype>(
        trailers: (@Sendable () async throws -> HTTPHeaders)? = nil,
        _ make: @escaping @Sendable () -> Chunks
    ) where Chunks.Element == Data, Chunks.AsyncIterator: _SendableMetatype {
        self.trailers = trailers
        iterate = { AsyncIterator(make().makeAsyncIterator()) }
    }

    /// Returns the same content, with closures that are called before and after each chunk, the end and the trailers.
    func telling(
        beginning begin: @escaping @Sendable () -> Void,
        end: @escaping @Sendable () -> Void
    ) -> BodyChunks { BodyChunks(self, begin, end) }

    private init(_ chunks: BodyChunks, _ begin: @escaping @Sendable () -> Void, _ end: @escaping @Sendable () -> Void) {
        if let make = chunks.trailers {
            trailers = {
                begin()
                defer { end() }
                return try await make()
            }
        } else {
            trailers = nil
        }
        iterate = {
            var iterator = chunks.makeAsyncIterator()
            return AsyncIterator(reading: {
                begin()
                defer { end() }
                return try await iterator.next()
            })
        }
    }

    /// Creates an iterator that produces the content from its beginning.
    public func makeAsyncIterator() -> AsyncIterator { iterate() }
}

extension BodyChunks: Redacted {}
