/// Holds the content of a request, in a form that can be sent again.
public enum RequestBody: Sendable {
    /// Sends no content.
    case none
    /// Sends these bytes.
    case data(Data)
    /// Sends the content of a file, read while it is sent.
    case file(URL)
    /// Sends what a fresh stream gives; the factory is called once per attempt. `length` is in bytes, nil if unknown.
    case stream(length: Int?, make: @Sendable () -> InputStream?)

    /// Tells whether there is nothing to send.
    public var isNone: Bool { if case .none = self { true } else { false } }
}

extension RequestBody: CustomStringConvertible, CustomReflectable {
    /// What is sent, by its kind and size.
    public var description: String {
        switch self {
        case .none: "no content"
        case .data(let data): "\(data.count) bytes"
        case .file(let url): "the content of \(url.path)"
        case .stream(let length, _): "a stream of \(length.map { "\($0)" } ?? "an unknown number of") bytes"
        }
    }

    /// Shows no more than the description does.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}
