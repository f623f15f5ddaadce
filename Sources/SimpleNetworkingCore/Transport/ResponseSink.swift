import SimpleNetworkingSupport

/// Selects where the content of a response is delivered.
///
/// Only the content of a successful response (200...299) is streamed. Any other response's content is stored in memory,
/// within the request's `maxResponseSize`. A transport that ignores sinks may also return the content of a successful
/// response in memory. The client then passes that content on to the sink.
public enum ResponseSink: Sendable {
    /// Stores the content in memory, up to `maxResponseSize` bytes.
    case memory
    /// Passes the head, and then each piece of content, to a closure as they arrive.
    ///
    /// The closure runs in the task that sends the request, one call at a time. While the closure runs, the server
    /// waits if the transport supports this; see `URLSessionTransport`. An error that the closure throws ends the
    /// transfer, and is rethrown. `maxResponseSize` applies only to content that arrives compressed even though the
    /// request didn't accept compression.
    case stream(@Sendable (ResponsePart) async throws -> Void)
}

extension ResponseSink {
    package var isMemory: Bool { if case .memory = self { true } else { false } }
}

/// Represents a part of a streamed response.
public enum ResponsePart: Sendable {
    /// The status (200...299) and the header fields. This part is delivered first, and only once.
    case head(status: Int, headers: HTTPHeaders)
    /// A piece of the decompressed content. A response may have any number of pieces.
    case content(Data)
}

extension ResponsePart: Described, Redacted {
    /// The status or the size.
    package var shownText: String {
        switch self {
        case .head(let status, _): "status \(status)"
        case .content(let data): "\(data.count) bytes"
        }
    }
}

/// Selects where the content of a successful response is delivered.
enum ContentDestination: Sendable {
    case memory
    case receiver(ContentReceiver)
    case other(any ResponseDestination)

    var isMemory: Bool { if case .memory = self { true } else { false } }

    /// What differs if the content has no foreseeable end.
    var openEnd: OpenEnd? { if case .receiver(let receiver) = self { receiver.openEnd } else { nil } }

    var canBeginAgain: Bool { if case .receiver(let receiver) = self { receiver.canBeginAgain() } else { true } }
}

/// Receives the content of a successful response piece by piece.
package final class ContentReceiver: Sendable {
    let receive: @Sendable (ResponsePart) async throws -> Void
    /// A closure that is called before a response's head is received, with the request that was sent.
    let begin: @Sendable (RequestHead) -> Void
    /// Whether another attempt can still start over.
    let canBeginAgain: @Sendable () -> Bool
    /// What differs if the content has no foreseeable end; nil if it is expected to end.
    let openEnd: OpenEnd?

    package init(
        receive: @escaping @Sendable (ResponsePart) async throws -> Void,
        begin: @escaping @Sendable (RequestHead) -> Void,
        canBeginAgain: @escaping @Sendable () -> Bool,
        openEnd: OpenEnd?
    ) {
        self.receive = receive
        self.begin = begin
        self.canBeginAgain = canBeginAgain
        self.openEnd = openEnd
    }
}

/// What differs for content that has no foreseeable end, which its receiver accepts by the head alone.
///
/// It must begin within the timeout, and may then pause for any time.
package struct OpenEnd: Sendable {
    /// The idle timeout in seconds; nil for no limit.
    let idleTimeout: TimeInterval?
    /// The names of fields that tell where to go on, and that other origins may receive.
    let sharedHeaders: Set<String>

    package init(idleTimeout: TimeInterval?, sharedHeaders: Set<String>) {
        self.idleTimeout = idleTimeout
        self.sharedHeaders = sharedHeaders
    }
}

/// Reports how many bytes of content a transfer has sent and received.
public struct TransferProgress: Sendable, Hashable {
    /// The number of content bytes sent.
    public var bytesSent: Int
    /// The number of content bytes to send; nil if the number is unknown.
    public var bytesToSend: Int?
    /// The number of content bytes received, before decompression.
    public var bytesReceived: Int
    /// The number of content bytes to receive, before decompression; nil if the number is unknown.
    public var bytesToReceive: Int?
    /// The number of the attempt, starting at 1.
    public var attempt: Int

    /// Creates a progress value.
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

    /// The fraction of the content that was sent, 0...1; nil while the total is unknown.
    public var fractionSent: Double? { Self.fraction(bytesSent, of: bytesToSend) }

    /// The fraction of the content that was received, 0...1; nil while the total is unknown.
    public var fractionReceived: Double? { Self.fraction(bytesReceived, of: bytesToReceive) }

    private static func fraction(_ count: Int, of total: Int?) -> Double? {
        total.map { $0 > 0 ? min(Double(count) / Double($0), 1) : 1 }
    }
}
