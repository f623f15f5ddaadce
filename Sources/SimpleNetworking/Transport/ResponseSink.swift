/// Selects where the content of a response goes.
///
/// Only the content of a successful response (200...299) is streamed. That of any other response comes in memory,
/// within the request's `maxResponseSize`. A transport that ignores sinks may return a success in memory too: the
/// client then passes its content on to the sink.
public enum ResponseSink: Sendable {
    /// Keeps the content in memory, at most `maxResponseSize` bytes.
    case memory
    /// Passes the head and then the content, piece by piece, to a closure as they arrive.
    ///
    /// The closure runs in the task that sends, one call at a time. The server waits meanwhile, as far as the transport
    /// supports that: see `URLSessionTransport`. An error that the closure throws ends the transfer, and is rethrown.
    /// `maxResponseSize` applies only to content that came compressed although the request did not accept that.
    case stream(@Sendable (ResponsePart) async throws -> Void)
}

extension ResponseSink {
    var isMemory: Bool { if case .memory = self { true } else { false } }
}

/// Holds a part of a streamed response.
public enum ResponsePart: Sendable {
    /// The status, 200...299, and the header fields; comes first, once.
    case head(status: Int, headers: HTTPHeaders)
    /// A piece of the content, decompressed; comes any number of times.
    case content(Data)
}

extension ResponsePart: Described, Redacted {
    /// The status or the size.
    var shownText: String {
        switch self {
        case .head(let status, _): "status \(status)"
        case .content(let data): "\(data.count) bytes"
        }
    }
}

/// Where the content of a request's success goes.
enum ContentDestination: Sendable {
    case memory
    case file(URL)
    case receiver(ContentReceiver)

    var isMemory: Bool { if case .memory = self { true } else { false } }

    var canBeginAgain: Bool { if case .receiver(let receiver) = self { receiver.canBeginAgain() } else { true } }
}

/// Takes the content of a success piece by piece.
struct ContentReceiver: Sendable {
    let receive: @Sendable (ResponsePart) async throws -> Void
    /// Called before the head of a response is received, with the request that was sent.
    let begin: @Sendable (RequestHead) -> Void
    /// Whether a further attempt may still start over.
    let canBeginAgain: @Sendable () -> Bool
}

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
