import SimpleNetworkingFeatureSupport

/// Parses the lines of an event stream (HTML standard, *Interpreting an event stream*).
///
/// An event that is not followed by an empty line is discarded.
struct EventStreamParser: Sendable {
    /// An event's name, its data, the last ID, and the latest reconnection delay in seconds.
    typealias Event = (name: String, data: String, id: String, retry: TimeInterval?)

    /// The maximum size of an event's data, in bytes.
    let limit: Int
    private var name = ""
    /// Nil while the event has no data line, not even an empty one.
    private var data: String?
    private var id: String
    /// The ID of the last event that ended, also of one without data: a stream goes on after it.
    private(set) var lastID: String
    /// The latest reconnection delay in seconds; nil if there was none.
    private(set) var retry: TimeInterval?

    init(limit: Int, lastID: String = "") {
        self.limit = limit
        self.lastID = lastID
        id = lastID
    }

    /// Whether the data of the event so far exceeds the limit.
    var isOverLimit: Bool { data?.utf8.count ?? 0 > limit }

    /// Reads a line without its end, and returns the event that the line completes, if any.
    mutating func read(_ line: Data) -> Event? {
        guard line.isEmpty else {
            line.withUnsafeBytes { readField($0) }
            return nil
        }
        defer {
            name = ""
            data = nil
            lastID = id
        }
        return data.map { (name.isEmpty ? "message" : name, $0, id, retry) }
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
        case "retry" where text.isNumber: retry = Double(text).map { min($0 / 1000, FieldDelay.longest) } ?? retry
        default: break
        }
    }

    private mutating func addData(_ text: String) {
        guard data != nil else { return data = text }
        data?.append("\n")
        data?.append(text)
    }
}
