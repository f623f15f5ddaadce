/// Describes a background transfer that has finished.
public struct FinishedTransfer: Sendable {
    /// The ID that was passed to ``BackgroundTransfers/start(_:on:id:)``.
    public let id: String
    /// The file to which the content was downloaded; nil for an upload, and if the transfer failed.
    public let file: URL?
    /// The response, or the reason why the transfer failed.
    ///
    /// A response whose status isn't in 200...299 is a failure. The data of an upload's response, and of the response
    /// to a failed download, is limited to 1 MiB. The data of a successful download is empty.
    public let result: Result<SimpleResponse, SimpleNetworkingError>
}
