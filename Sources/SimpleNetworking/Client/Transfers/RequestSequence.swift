/// Gives what requests bring, such as lines, events, items or pages, and requests it when it is wanted.
///
/// Each iteration begins with the first element, and sends its requests again. To stop, leave the loop.
public struct RequestSequence<Element>: AsyncSequence, Sendable {
    /// Begins an iteration, and returns what waits for its next element.
    let begin: @Sendable () -> () async throws -> Element?

    /// Makes an iterator that starts before the first element.
    public func makeAsyncIterator() -> Iterator { Iterator(take: begin()) }

    /// Waits for one element after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let take: () async throws -> Element?

        /// Waits for the next element.
        ///
        /// - Returns: The element; nil after the last one, and after an error.
        /// - Throws: `SimpleNetworkingError`, or `CancellationError` when the task was cancelled.
        public mutating func next() async throws -> Element? { try await take() }
    }
}
