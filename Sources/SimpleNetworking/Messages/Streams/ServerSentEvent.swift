/// Holds one event of an event stream, `text/event-stream`.
///
/// The format is that of the HTML standard, section *Server-sent events*.
public struct ServerSentEvent: Sendable, Hashable {
    /// What the event is called; `message` unless the server says otherwise.
    public var event: String
    /// The text; lines are separated by a line feed.
    public var data: String
    /// The last event ID: that of this event, or of the last one before it that had one; empty if none had.
    ///
    /// Sent as `Last-Event-ID`, it tells a server where to go on.
    public var id: String
    /// How long to wait before connecting anew, in seconds, as the stream last said; nil if it did not say.
    public var retry: TimeInterval?

    /// Makes an event.
    public init(event: String = "message", data: String, id: String = "", retry: TimeInterval? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
    }
}
