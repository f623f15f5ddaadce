/// A request or an answer as it goes over the wire, for a log.
struct WireMessage {
    let start: String
    let headers: HTTPHeaders
    let body: RequestBody
    /// Texts that must not show, wherever they are.
    let secrets: [String]

    /// A request as it is sent.
    init(_ head: RequestHead, _ body: RequestBody) {
        start = "sends \(head)"
        headers = head.headers
        self.body = body
        secrets = Redaction.secrets(of: head.headers)
    }

    /// An answer to a request, which may repeat what that has said.
    init(status: Int, _ headers: HTTPHeaders, _ body: Data, to head: RequestHead, seconds: TimeInterval) {
        start = "gets status \(status) of \(head) after \(seconds.wholeMilliseconds) ms"
        self.headers = headers
        self.body = body.isEmpty ? .none : .data(body)
        secrets = Redaction.secrets(of: head.headers) + Redaction.secrets(of: headers)
    }

    func text(limit: Int) -> String {
        var lines = [start] + headers.fields.map { "\($0.name): \(Redaction.text(of: $0))" }
        let type = headers.contentType
        switch body {
        case .none: break
        case .data(let data): lines += ["", Redaction.text(ofContent: data, type: type, limit: limit)]
        case .file(let url): lines += ["", "(the content of \(url.path))"]
        case .stream(let length, _):
            lines += ["", "(a stream of \(length.map { "\($0)" } ?? "an unknown number of") bytes)"]
        }
        return Redaction.hiding(secrets, in: lines.joined(separator: "\n"))
    }
}
