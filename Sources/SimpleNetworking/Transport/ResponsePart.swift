/// Holds a part of an answer that is received as a stream.
public enum ResponsePart: Sendable {
    /// Comes first, once: the status, 200...299, and the header fields.
    case head(status: Int, headers: HTTPHeaders)
    /// Comes any number of times: a piece of the content, decompressed.
    case content(Data)
}

extension ResponsePart: CustomStringConvertible, CustomReflectable {
    /// The status or the size.
    public var description: String {
        switch self {
        case .head(let status, _): "status \(status)"
        case .content(let data): "\(data.count) bytes"
        }
    }

    /// Shows no more than the description does.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}
