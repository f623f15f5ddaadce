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

/// Parses the lines of an event stream (HTML standard, *Interpreting an event stream*).
///
/// An event without an empty line after it is dropped.
struct EventStreamParser: Sendable {
    private let limit: Int
    private var name = ""
    /// Nil while the event has no line of data, not even an empty one.
    private var data: String?
    private var id = ""
    private var retry: TimeInterval?

    /// - Parameter limit: The most bytes an event's text may have.
    init(limit: Int) { self.limit = limit }

    /// Reads a line without its end, and gives the event that it ends, if any.
    mutating func read(_ line: Data, number: Int) throws(StreamFailure) -> ServerSentEvent? {
        guard !line.isEmpty else { return takeEvent() }
        line.withUnsafeBytes { readField($0) }
        guard data?.utf8.count ?? 0 <= limit else { throw .eventTooLong(limit: limit, line: number) }
        return nil
    }

    private mutating func takeEvent() -> ServerSentEvent? {
        defer { (name, data) = ("", nil) }
        return data.map { ServerSentEvent(event: name.isEmpty ? "message" : name, data: $0, id: id, retry: retry) }
    }

    private mutating func readField(_ line: UnsafeRawBufferPointer) {
        // All known names are shorter than six bytes.
        let field = line.prefix(6).prefix { $0 != UInt8(ascii: ":") }
        var value = line[min(field.count + 1, line.count)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: field, as: UTF8.self) {
        case "data": addData(text)
        case "event": name = text
        case "id" where !value.contains(0): id = text
        case "retry" where text.isNumber: retry = Double(text).map { min($0 / 1000, CacheControl.longest) } ?? retry
        default: break
        }
    }

    private mutating func addData(_ text: String) {
        guard data != nil else { return data = text }
        data?.append("\n")
        data?.append(text)
    }
}
