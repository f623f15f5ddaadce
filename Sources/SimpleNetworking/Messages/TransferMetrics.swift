/// Tells how long the parts of one attempt took, and what it moved.
///
/// A part that the engine cannot measure is nil.
public struct TransferMetrics: Sendable, Hashable {
    /// Seconds until the host's name was resolved.
    public var nameLookup: TimeInterval?
    /// Seconds until the connection stood.
    public var connect: TimeInterval?
    /// Seconds until TLS was agreed on.
    public var secureConnect: TimeInterval?
    /// Seconds until the first byte of the answer.
    public var firstByte: TimeInterval?
    /// Seconds from the start of the attempt to its end.
    public var total: TimeInterval
    /// Bytes of content sent.
    public var bytesSent: Int?
    /// Bytes of content received, before decompression.
    public var bytesReceived: Int?
    /// Whether a connection of an earlier request was used.
    public var isReusedConnection: Bool?
    /// The protocol as ALPN names it: `http/1.1`, `h2`.
    public var protocolName: String?
    /// The server's address as text.
    public var remoteAddress: String?

    /// Makes metrics of which only the total is known.
    public init(total: TimeInterval = 0) { self.total = total }
}
