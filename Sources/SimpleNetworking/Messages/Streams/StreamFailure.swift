/// Describes why a stream's content can't be read as lines or events.
public enum StreamFailure: Error, Sendable, Hashable {
    /// A line is longer than `limit` bytes. Lines are counted from 1.
    case lineTooLong(limit: Int, line: Int)
    /// A server-sent event exceeds `limit` bytes at this line. Lines are counted from 1.
    case eventTooLong(limit: Int, line: Int)
    /// The content isn't an event stream: the response has another `Content-Type`, or none.
    case notAnEventStream(type: String?)
}

extension StreamFailure: DescribedError {
    /// The failure and its location, as the end of a sentence.
    var shownText: String {
        switch self {
        case .lineTooLong(let limit, let line): "line \(line) of the content has more than \(limit) bytes"
        case .eventTooLong(let limit, let line): "the event at line \(line) of the content has more than \(limit) bytes"
        case .notAnEventStream(let type):
            "the content is not an event stream but has \(type.map { "the content type \($0)" } ?? "no content type")"
        }
    }
}
