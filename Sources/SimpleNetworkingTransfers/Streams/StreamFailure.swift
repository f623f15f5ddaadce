import SimpleNetworkingFeatureSupport

/// Describes why a stream's content can't be read as lines or events.
public enum StreamFailure: Error, Sendable, Hashable {
    /// Line `line`, counted from 1, is longer than `limit` bytes.
    case lineTooLong(limit: Int, line: Int)
    /// A server-sent event exceeds `limit` bytes at line `line`, counted from 1.
    case eventTooLong(limit: Int, line: Int)
    /// The content isn't an event stream, because the response's `Content-Type` is different or missing.
    case notAnEventStream(type: String?)
}

extension StreamFailure: DescribedError {
    /// The failure and its location, as the end of a sentence.
    package var shownText: String {
        switch self {
        case .lineTooLong(let limit, let line): "line \(line) of the content has more than \(limit) bytes"
        case .eventTooLong(let limit, let line): "the event at line \(line) of the content has more than \(limit) bytes"
        case .notAnEventStream(let type):
            "the content is not an event stream but has \(type.map { "the content type \($0)" } ?? "no content type")"
        }
    }
}
