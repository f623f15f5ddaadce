/// Holds the content of a request, in a form that can be sent again.
public enum RequestBody: Sendable {
    /// Sends no content.
    case none
    /// Sends these bytes.
    case data(Data)
    /// Streams a file's content, reading the file during the transfer.
    case file(URL)
    /// Sends a stream's content; `make` opens the stream for each attempt. `length` is in bytes, or nil if unknown.
    case stream(length: Int?, make: @Sendable () -> InputStream?)
    /// Sends the chunks of an asynchronous sequence. `length` is in bytes, or nil if unknown.
    case chunks(length: Int?, BodyChunks)

    /// Whether there is nothing to send.
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
/// An encoding failure is reported at execution, so that it reaches the request's handlers.
indirect enum BodyContent: Sendable {
    case none
    /// Content that is ready to send, and the secrets in it.
    case ready(RequestBody, MediaType, isAssumed: Bool = false, secrets: [String] = [])
    /// A value to encode at execution, with the client's encoder.
    case encodable(any Encodable & Sendable)
    case multipart(Multipart)
    case failed(SimpleNetworkingError)

    var isNone: Bool { if case .none = self { true } else { false } }

    /// Distinguishes who chose the content type, which decides what overrides it.
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

    /// Returns the content of a typed request: `Data` and `String` unchanged, none for nil, anything else as JSON.
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
/// Each chunk is requested after the previous one was sent, so that a slow server slows the sequence down. With
/// libcurl, the response can be read while the request is still being sent; with `bytes(for:)`, this allows two-way
/// communication. The upload stops at a redirect or an error. A success ends the request once the sequence has ended,
/// too. URLSession needs the complete content first, so its transport writes it to a temporary file.
///
/// In your own middleware and transports, iterate over it as an asynchronous sequence of chunks; each iteration
/// produces the content again. Middleware can replace it with a sequence that changes each chunk:
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
    /// A closure that creates the trailer fields, such as a checksum; nil for none.
    ///
    /// Call it after the sequence has ended.
    public let trailers: (@Sendable () async throws -> HTTPHeaders)?

    /// Creates content that an asynchronous sequence provides in chunks.
    ///
    /// If the sequence throws an error, the request ends with `.failed`, or with `.cancelled` for a cancellation. If
    /// the request ends early, the task that runs the sequence is cancelled.
    ///
    /// - Parameters:
    ///   - trailers: A closure that creates the trailer fields, such as a checksum (RFC 9110 §6.5), after the
    ///     sequence has ended. libcurl sends trailers only over HTTP/1.1, and only for content of unknown length.
    ///     Over HTTP/2, they are omitted; with URLSession, the request is refused.
    ///   - make: A closure that creates the sequence. It is called each time the content is sent: for each attempt,
    ///     for each redirect that repeats the content, and if the engine repeats an attempt. The sequence runs in its
    ///     own task, and may begin before an earlier, cancelled one has ended.
    public init<Chunks: AsyncSequence & _SendableMetatype>(
        trailers: (@Sendable () async throws -> HTTPHeaders)? = nil,
        _ make: @escaping @Sendable () -> Chunks
    ) where Chunks.Element == Data, Chunks.AsyncIterator: _SendableMetatype {
        self.trailers = trailers
        iterate = { AsyncIterator(make().makeAsyncIterator()) }
    }

    /// Returns the same content; the closures are called before and after each chunk, the end and the trailers.
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
