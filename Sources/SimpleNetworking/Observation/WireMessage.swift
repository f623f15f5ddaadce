/// A request or a response as it is sent, for the log.
struct WireMessage {
    let start: String
    let headers: HTTPHeaders
    let body: RequestBody
    /// Hidden wherever they occur.
    let secrets: [String]

    init(_ head: RequestHead, _ body: RequestBody) {
        start = "sends \(head)"
        headers = head.headers
        self.body = body
        secrets = Self.secrets(of: head.headers, body) + Redaction.secrets(of: head.url)
    }

    /// A response; it may repeat secrets of its request and of its own.
    init(_ response: ResponseParts, to head: RequestHead, _ sent: RequestBody) {
        start = "gets status \(response.status) of \(head) after \(response.metrics.total.wholeMilliseconds) ms"
        headers = response.headers
        body = response.body.isEmpty ? .none : .data(response.body)
        secrets = WireMessage(head, sent).secrets + Self.secrets(of: headers, body)
    }

    private static func secrets(of headers: HTTPHeaders, _ body: RequestBody) -> [String] {
        guard case .data(let data) = body, data.count <= 1 << 20 else { return Redaction.secrets(of: headers) }
        let type = headers["Content-Type"].map { MediaType($0) }
        return Redaction.secrets(of: headers) + Redaction.secrets(of: data, type: type)
    }

    /// The message without its secrets and those that the client has sent, with at most so many bytes of content.
    func text(limit: Int, hiding memory: SecretMemory) -> String {
        let hiding = Hiding(secrets)
        func hide(_ text: String) -> String { memory.hide(in: hiding.text(of: text)) }
        let lines = [start] + headers.fields.map { "\($0.name): \(Redaction.text(of: $0))" }
        let type = headers.contentType
        var content: String?
        switch body {
        case .none: break
        case .data(let data): content = Redaction.text(ofContent: data, type: type, limit: limit, hide: hide)
        case .file, .stream, .chunks: content = hide("(\(body))")
        }
        return hide(lines.joined(separator: "\n")) + (content.map { "\n\n" + $0 } ?? "")
    }
}
