import SimpleNetworkingSupport

/// Delivers elements from responses, such as lines or events, and sends requests on demand.
///
/// Each iteration starts with the first element and sends the requests again. To stop an iteration, leave the loop.
public struct RequestSequence<Element>: AsyncSequence, Sendable {
    /// Begins an iteration, and returns a closure that waits for the next element.
    package let begin: @Sendable () -> () async throws -> Element?

    package init(_ begin: @escaping @Sendable () -> () async throws -> Element?) { self.begin = begin }

    /// Creates an iterator that starts with the first element.
    public func makeAsyncIterator() -> Iterator { Iterator(take: begin()) }

    /// Waits for the elements of the sequence, one after another.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let take: () async throws -> Element?

        /// Waits for the next element and returns it, or nil after the last element or an error.
        ///
        /// - Throws: `SimpleNetworkingError`, or `CancellationError` if the task was cancelled.
        public mutating func next() async throws -> Element? { try await take() }
    }
}
