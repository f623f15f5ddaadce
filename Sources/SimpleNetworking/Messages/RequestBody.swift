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
