/// Makes events of an event stream's lines, as the HTML standard has it in *Interpreting an event stream*.
///
/// An event that no empty line ends is none.
struct EventStreamParser: Sendable {
    private let limit: Int
    private var name = ""
    /// Nil as long as the event has no line of data, which is not the same as an empty one.
    private var data: String?
    private var id = ""
    private var retry: TimeInterval?

    /// - Parameter limit: The most bytes an event's text may have: lines alone do not limit it.
    init(limit: Int) { self.limit = limit }

    /// Takes a line without its end, and gives the event that it ends, if it does.
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
        // No name that means something is longer.
        let length = line.prefix(6).firstIndex(of: UInt8(ascii: ":")) ?? line.count
        let field = UnsafeRawBufferPointer(rebasing: line[..<length])
        var value = UnsafeRawBufferPointer(rebasing: line[min(length + 1, line.count)...])
        if value.first == UInt8(ascii: " ") { value = UnsafeRawBufferPointer(rebasing: value[1...]) }
        if field.equals("data") {
            addData(String(decoding: value, as: UTF8.self))
        } else if field.equals("event") {
            name = String(decoding: value, as: UTF8.self)
        } else if field.equals("id") {
            if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        } else if field.equals("retry"), !value.isEmpty,
            value.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }),
            let milliseconds = Double(String(decoding: value, as: UTF8.self))
        {
            retry = min(milliseconds / 1000, CacheControl.longest)
        }
    }

    private mutating func addData(_ text: String) {
        guard data != nil else { return data = text }
        data?.append("\n")
        data?.append(text)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount, let baseAddress else { return false }
        return memcmp(baseAddress, text.utf8Start, count) == 0
    }
}
