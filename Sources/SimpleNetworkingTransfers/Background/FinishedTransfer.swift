import SimpleNetworkingFeatureSupport

/// Describes a background transfer that has finished.
public struct FinishedTransfer: Sendable {
    /// The ID that was passed to ``BackgroundTransfers/start(_:on:id:)``.
    public let id: String
    /// The file to which the content was downloaded; nil for an upload, and if the transfer failed.
    public let file: URL?
    /// The response, or the reason why the transfer failed.
    ///
    /// A response whose status isn't in 200...299 is a failure. The data of an upload's response, and of the response
    /// to a failed download, is limited to 1 MiB. The data of a successful download is empty. If the system ended the
    /// transfer, for example, because the user forced the app to quit, the error is `.networkingError`.
    public let result: Result<SimpleResponse, SimpleNetworkingError>
}

/// The sequence of background transfers that have finished, which never ends.
///
/// Each transfer is delivered once. If the iterating task is cancelled, the next iteration continues with the transfers
/// that weren't delivered.
public struct FinishedTransfers: AsyncSequence, Sendable {
    let queue: TransferQueue

    /// Creates an iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(queue: queue) }

    /// Iterates over the finished transfers.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let queue: TransferQueue

        /// Waits for the next finished transfer, and returns nil if the task is cancelled.
        public mutating func next() async -> FinishedTransfer? { await queue.next() }
    }
}
