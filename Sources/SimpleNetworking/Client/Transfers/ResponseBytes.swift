/// Gives the content of an answer piece by piece, while it comes.
///
/// Each time it is gone through, the request is sent anew. See ``SimpleNetworking/bytes(for:)-(SimpleRequest)``.
public struct ResponseBytes: AsyncSequence, Sendable {
    let client: SimpleNetworking
    let request: SimpleRequest
    /// What is asked for; nil leaves that to the request.
    var format: StreamFormat?

    /// Gives an iterator that stands before the first piece.
    public func makeAsyncIterator() -> Iterator { Iterator(ContentReader(client, request, format)) }

    /// Waits for one piece after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let reader: ContentReader

        fileprivate init(_ reader: ContentReader) { self.reader = reader }

        /// The answer, without content, once it has begun to come; nil before.
        public var response: SimpleResponse? { reader.response }

        /// Waits for the next piece.
        ///
        /// - Returns: Some bytes, as many as have come; nil at the end, and after an error.
        /// - Throws: `SimpleNetworkingError`, or `CancellationError` when the task was cancelled.
        public mutating func next() async throws -> Data? { try await reader.next() }
    }
}
