import SimpleNetworkingFeatureSupport

/// Holds one event of an event stream, `text/event-stream` (HTML standard, *Server-sent events*).
public struct ServerSentEvent: Sendable, Hashable {
    /// The event's name; the default is `message`.
    public var event: String
    /// The data; its lines are separated by line feeds.
    public var data: String
    /// The latest event ID, from this or an earlier event; empty if the server has sent none.
    ///
    /// To resume the stream, send this ID as `Last-Event-ID`.
    public var id: String
    /// The stream's latest reconnection delay, in seconds; nil if the stream hasn't set a delay.
    public var retry: TimeInterval?

    /// Creates an event.
    init(event: String = "message", data: String, id: String = "", retry: TimeInterval? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
    }
}

extension EventStreamParser {
    /// Reads a line without its line ending, and returns the event that it completes, if any.
    mutating func read(_ line: Data, number: Int) throws(StreamFailure) -> ServerSentEvent? {
        let event = read(line)
        guard !isOverLimit else { throw .eventTooLong(limit: limit, line: number) }
        return event.map { ServerSentEvent(event: $0.name, data: $0.data, id: $0.id, retry: $0.retry) }
    }
}
