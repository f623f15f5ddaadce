/// Tells how much of a transfer's content has moved.
public struct TransferProgress: Sendable, Hashable {
    /// Bytes of content sent.
    public var bytesSent: Int
    /// Bytes of content to send; nil if unknown.
    public var bytesToSend: Int?
    /// Bytes of content received, before decompression.
    public var bytesReceived: Int
    /// Bytes of content to receive, before decompression; nil if unknown.
    public var bytesToReceive: Int?

    /// Makes a value.
    public init(bytesSent: Int = 0, bytesToSend: Int? = nil, bytesReceived: Int = 0, bytesToReceive: Int? = nil) {
        self.bytesSent = bytesSent
        self.bytesToSend = bytesToSend
        self.bytesReceived = bytesReceived
        self.bytesToReceive = bytesToReceive
    }
}
