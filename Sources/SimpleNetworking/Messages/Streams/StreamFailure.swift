/// Describes why a stream's content cannot be read as lines or events.
public enum StreamFailure: Error, Sendable, Hashable {
    /// A line, counted from 1, has more bytes than the limit.
    case lineTooLong(limit: Int, line: Int)
    /// The text of a server-sent event, up to this line counted from 1, has more bytes than the limit.
    case eventTooLong(limit: Int, line: Int)
    /// The content is not an event stream: the response has another `Content-Type`, or none.
    case notAnEventStream(type: String?)
}

extension StreamFailure: DescribedError {
    /// What is wrong, and where, as the end of a sentence.
    var shownText: String {
        switch self {
        case .lineTooLong(let limit, let line): "line \(line) of the content has more than \(limit) bytes"
        case .eventTooLong(let limit, let line): "the event at line \(line) of the content has more than \(limit) bytes"
        case .notAnEventStream(let type):
            "the content is not an event stream but has \(type.map { "the content type \($0)" } ?? "no content type")"
        }
    }
}
