/// Makes the content of a request piece by piece, while it is sent.
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
public struct BodyChunks: Sendable {
    let forEach: @Sendable (_ receive: (Data) async throws -> Void) async throws -> Void
    let trailers: (@Sendable () async throws -> HTTPHeaders)?

    /// Describes content by an asynchronous sequence of its pieces.
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
        forEach = { receive in
            for try await chunk in make() { try await receive(chunk) }
        }
    }
}

extension BodyChunks: Redacted {}
