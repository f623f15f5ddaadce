import SimpleNetworkingSupport

/// Produces the content of a request in chunks, as it is sent.
///
/// ```swift
/// api.post("/echo") { request in
///   request.body(chunks: BodyChunks { words.map { Data($0.utf8) } }, contentType: .text)
/// }
/// ```
///
/// The client requests each chunk only after it has sent the previous one, so a slow server also slows down the
/// sequence. With libcurl, you can read the response while the client is still sending the request: reading
/// it as a stream is two-way communication. The upload stops at a redirect or an error. A successful response ends the request
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

        /// Creates an iterator whose production ends when it is released.
        fileprivate init<Iterator: AsyncIteratorProtocol & _SendableMetatype>(
            _ makeIterator: () -> Iterator
        ) where Iterator.Element == Data {
            let production = AwaitedWork()
            var iterator = AwaitedScope.$current.withValue(production.scope, operation: makeIterator)
            read = { try await AwaitedScope.$current.withValue(production.scope) { try await iterator.next() } }
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
    /// Reads the whole content at once; nil if only an asynchronous sequence has it.
    package let collect: (@Sendable () throws -> Data)?

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
        if let trailers {
            self.trailers = {
                let production = AwaitedWork()
                defer { withExtendedLifetime(production) {} }
                return try await AwaitedScope.$current.withValue(production.scope) { try await trailers() }
            }
        } else {
            self.trailers = nil
        }
        collect = nil
        iterate = { AsyncIterator { make().makeAsyncIterator() } }
    }

    /// Creates content that can also be read at once, with `collect`.
    package init<Chunks: AsyncSequence & Sendable>(
        of chunks: Chunks,
        collect: @escaping @Sendable () throws -> Data
    ) where Chunks.Element == Data, Chunks.AsyncIterator: _SendableMetatype {
        trailers = nil
        self.collect = collect
        iterate = { AsyncIterator { chunks.makeAsyncIterator() } }
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
        collect = chunks.collect
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
