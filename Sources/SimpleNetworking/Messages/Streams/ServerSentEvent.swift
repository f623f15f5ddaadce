/// Holds one event of an event stream, `text/event-stream` (HTML standard, *Server-sent events*).
public struct ServerSentEvent: Sendable, Hashable {
    /// The event's name, by default `message`.
    public var event: String
    /// The text; lines are separated by a line feed.
    public var data: String
    /// The last event ID, of this event or an earlier one, empty if none had one; send it as `Last-Event-ID` to resume.
    public var id: String
    /// The stream's latest reconnection delay, in seconds; nil if it named none.
    public var retry: TimeInterval?

    /// Makes an event.
    init(event: String = "message", data: String, id: String = "", retry: TimeInterval? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
    }
}

extension EventStreamParser {
    /// Reads a line without its end, and gives the event that it ends, if any.
    mutating func read(_ line: Data, number: Int) throws(StreamFailure) -> ServerSentEvent? {
        let event = read(line)
        guard !isOverLimit else { throw .eventTooLong(limit: limit, line: number) }
        return event.map { ServerSentEvent(event: $0.name, data: $0.data, id: $0.id, retry: $0.retry) }
    }
}
