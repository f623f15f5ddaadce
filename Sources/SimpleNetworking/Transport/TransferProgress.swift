/// Reports how many bytes of a transfer's content have been sent and received.
public struct TransferProgress: Sendable, Hashable {
    /// Bytes of content sent.
    public var bytesSent: Int
    /// Bytes of content to send; nil if unknown.
    public var bytesToSend: Int?
    /// Bytes of content received, before decompression.
    public var bytesReceived: Int
    /// Bytes of content to receive, before decompression; nil if unknown.
    public var bytesToReceive: Int?
    /// The number of the attempt, from 1.
    public var attempt: Int

    /// Creates a value.
    public init(
        bytesSent: Int = 0,
        bytesToSend: Int? = nil,
        bytesReceived: Int = 0,
        bytesToReceive: Int? = nil,
        attempt: Int = 1
    ) {
        self.bytesSent = bytesSent
        self.bytesToSend = bytesToSend
        self.bytesReceived = bytesReceived
        self.bytesToReceive = bytesToReceive
        self.attempt = attempt
    }

    /// The fraction sent, 0...1; nil while the total is unknown.
    public var fractionSent: Double? { Self.fraction(bytesSent, of: bytesToSend) }

    /// The fraction received, 0...1; nil while the total is unknown.
    public var fractionReceived: Double? { Self.fraction(bytesReceived, of: bytesToReceive) }

    private static func fraction(_ count: Int, of total: Int?) -> Double? {
        total.map { $0 > 0 ? min(Double(count) / Double($0), 1) : 1 }
    }
}
