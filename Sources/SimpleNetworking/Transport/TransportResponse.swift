/// Holds a complete HTTP answer as a transport received it.
public struct TransportResponse: Sendable {
    /// The final status code; informational ones (1xx) are never seen.
    public var status: Int
    /// The header fields, repeated ones kept.
    public var headers: HTTPHeaders
    /// The content, decompressed.
    public var body: Data
    /// The times and sizes of the transfer.
    public var metrics: TransferMetrics

    /// Makes an answer.
    public init(
        status: Int,
        headers: HTTPHeaders = [:],
        body: Data = Data(),
        metrics: TransferMetrics = TransferMetrics()
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.metrics = metrics
    }
}
