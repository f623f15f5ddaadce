/// Holds the content of a request, in a form that can be sent again.
public enum RequestBody: Sendable {
    /// Sends no content.
    case none
    /// Sends these bytes.
    case data(Data)
    /// Sends the content of a file, read while it is sent.
    case file(URL)
    /// Sends a new stream's content; `make` is called once per attempt. `length` is in bytes, nil if unknown.
    case stream(length: Int?, make: @Sendable () -> InputStream?)
    /// Sends the pieces of an asynchronous sequence. `length` is in bytes, nil if unknown.
    case chunks(length: Int?, BodyChunks)

    /// Tells whether there is nothing to send.
    var isNone: Bool { if case .none = self { true } else { false } }

    /// Tells whether it can be sent again after a part was.
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

/// What a request shall send; it becomes bytes at execution, so that a failure reaches the request's handlers.
indirect enum BodyContent: Sendable {
    case none
    /// Bytes, and the secrets in them.
    case ready(RequestBody, MediaType, isAssumed: Bool = false, secrets: [String] = [])
    /// Encoded at execution, with the client's encoder.
    case encodable(any Encodable & Sendable)
    case multipart(Multipart)
    case failed(SimpleNetworkingError)

    var isNone: Bool { if case .none = self { true } else { false } }

    /// Who chose the type of the content, which decides what it gives way to.
    enum TypeChoice {
        /// The library, for lack of another: the client's default says more.
        case assumed
        /// The caller: only the request's own field says more.
        case named
        /// It has the boundary, without which the content can't be read (RFC 7578 §4.1).
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

    /// Encodes dictionaries, arrays and fragments at once: they may change before the execution.
    static func json(_ object: Any?) -> BodyContent {
        do {
            return .ready(.data(try JSONObjectWriter.data(of: object)), .json, isAssumed: true)
        } catch {
            return .failed(.invalidRequest(reason: error.reason, nil))
        }
    }

    /// Encodes at once: the value may not be Sendable.
    static func json(encoding value: some Encodable, with encoder: JSONEncoder) -> BodyContent {
        let memory = SecretMemory()
        do {
            let body = RequestBody.data(try data(of: value, using: encoder, noting: memory))
            return .ready(body, .json, isAssumed: true, secrets: memory.values)
        } catch {
            return .failed(error)
        }
    }

    /// The content of a typed request: `Data` and `String` as they are, nil as no content, anything else as JSON.
    static func typed(_ value: (any Encodable & Sendable)?) -> BodyContent {
        switch value {
        case let data as Data: .ready(.data(data), .json, isAssumed: true)
        case let text as String: .text(text, .json, isAssumed: true)
        case let optional as any OptionalValue where optional.wrapped == nil: .none
        case let value?: .encodable(value)
        case nil: .none
        }
    }

    /// Makes the bytes and their `Content-Type`.
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

/// Produces the content of a request piece by piece, as it is sent.
///
/// ```swift
/// api.post("/echo") { request in
///   request.body(chunks: BodyChunks { words.map { Data($0.utf8) } }, contentType: .text)
/// }
/// ```
///
/// A piece is requested when the one before was sent, so that a slow server slows the sequence down. Over libcurl the
/// response may be read while the request is still being sent: with `bytes(for:)`, a program can talk with a server. A
/// redirect or an error ends the sending; a success ends the request when the sequence has ended, too.
/// URLSession needs all of the content first, so its transport writes it to a temporary file.
///
/// It is an asynchronous sequence of the pieces, for middleware and transports of your own: each iteration makes the
/// content once more. Middleware can replace it by another one that changes each piece:
///
/// ```swift
/// guard case .chunks(_, let chunks) = request.body else { return try await next(request) }
/// var request = request
/// request.body = .chunks(length: nil, BodyChunks(trailers: chunks.trailers) { chunks.map(encrypt) })
/// ```
public struct BodyChunks: AsyncSequence, Sendable {
    /// Makes the pieces of the content, in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let read: () async throws -> Data?

        fileprivate init(reading read: @escaping () async throws -> Data?) { self.read = read }

        fileprivate init<Iterator: AsyncIteratorProtocol & _SendableMetatype>(
            _ iterator: Iterator
        ) where Iterator.Element == Data {
            var iterator = iterator
            read = { try await iterator.next() }
        }

        /// Returns the next piece, which may be empty, or nil at the end.
        ///
        /// - Throws: Any error that the caller's sequence throws.
        public mutating func next() async throws -> Data? { try await read() }
    }

    private let iterate: @Sendable () -> AsyncIterator
    /// Makes the fields that follow the content, such as a checksum; nil for none.
    ///
    /// Call it when the sequence has ended.
    public let trailers: (@Sendable () async throws -> HTTPHeaders)?

    /// Describes content that an asynchronous sequence provides in pieces.
    ///
    /// An error that the sequence throws ends the request with `.failed`, or `.cancelled` for a cancellation. When
    /// the request ends early, the task that runs the sequence is cancelled.
    ///
    /// - Parameters:
    ///   - trailers: Makes the fields that follow the last piece, such as a checksum (RFC 9110 §6.5); it runs when the
    ///     sequence has ended. They are sent by libcurl over HTTP/1.1, for content without a length; HTTP/2 leaves
    ///     them out, and URLSession refuses the request.
    ///   - make: Makes the sequence; called each time the content is sent: per attempt, per redirect that repeats the
    ///     content, and when the engine repeats an attempt. It runs in a task of its own, and may begin before an
    ///     earlier, cancelled one has ended.
    public init<Chunks: AsyncSequence & _SendableMetatype>(
        trailers: (@Sendable () async throws -> HTTPHeaders)? = nil,
        _ make: @escaping @Sendable () -> Chunks
    ) where Chunks.Element == Data, Chunks.AsyncIterator: _SendableMetatype {
        self.trailers = trailers
        iterate = { AsyncIterator(make().makeAsyncIterator()) }
    }

    /// The same content; calls the two closures before and after each piece, the end and the trailers are made.
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

    /// Begins the content anew.
    public func makeAsyncIterator() -> AsyncIterator { iterate() }
}

extension BodyChunks: Redacted {}
