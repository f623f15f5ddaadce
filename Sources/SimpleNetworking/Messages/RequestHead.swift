/// Tells what is asked, or was: a request's method, address and header fields, without its content.
public struct RequestHead: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The address, always absolute.
    public var url: URL
    /// The header fields as they are sent.
    public var headers: HTTPHeaders

    /// What the client has sent as secrets, which no text of the head shows; nil for a head that no client has made.
    var memory: SecretMemory?

    /// Makes a head.
    public init(method: HTTPMethod = .get, url: URL, headers: HTTPHeaders = [:]) {
        self.method = method
        self.url = url
        self.headers = headers
    }
}

extension RequestHead: Hashable {
    /// Compares method, address and header fields.
    public static func == (left: RequestHead, right: RequestHead) -> Bool {
        left.method == right.method && left.url == right.url && left.headers == right.headers
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(url)
        hasher.combine(headers)
    }
}

extension RequestHead: CustomStringConvertible {
    /// The method and the address, with secrets hidden.
    public var description: String { hiding("\(method) \(Redaction.text(of: url))") }

    /// A text without what the client has sent as secrets.
    func hiding(_ text: String) -> String { memory?.hide(in: text) ?? text }
}
