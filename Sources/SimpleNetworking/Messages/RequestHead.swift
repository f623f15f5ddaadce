/// Tells what is asked, or was: a request's method, address and header fields, without its content.
public struct RequestHead: Sendable, Hashable {
    /// The method.
    public var method: HTTPMethod
    /// The address, always absolute.
    public var url: URL
    /// The header fields as they are sent.
    public var headers: HTTPHeaders

    /// Makes a head.
    public init(method: HTTPMethod = .get, url: URL, headers: HTTPHeaders = [:]) {
        self.method = method
        self.url = url
        self.headers = headers
    }
}

extension RequestHead: CustomStringConvertible {
    /// The method and the address, with secrets hidden.
    public var description: String { "\(method) \(Redaction.text(of: url))" }
}
