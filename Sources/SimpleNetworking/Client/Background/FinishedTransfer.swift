/// Describes a background transfer that has finished.
public struct FinishedTransfer: Sendable {
    /// The ID that was passed to ``BackgroundTransfers/start(_:on:id:)``.
    public let id: String
    /// The file to which the content was downloaded; nil for an upload or a failed transfer.
    public let file: URL?
    /// The response, or the reason why the transfer failed.
    ///
    /// A response whose status isn't in 200...299 is a failure. For an upload or a failed download, the response's data
    /// is limited to 1 MiB. For a successful download, it is empty.
    public let result: Result<SimpleResponse, SimpleNetworkingError>
}
