/// Hides secrets in the parts of a message, wherever they are described, logged or thrown.
extension Redaction {
    static func value(of field: HTTPHeaders.Field) -> String {
        field.isSecret || isSecret(field: field.name) ? mark : field.value
    }

    /// The value of a header field; URLs in it are shown without secrets.
    static func text(of field: HTTPHeaders.Field) -> String {
        let value = value(of: field)
        guard value != mark, value.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") }) else {
            return value
        }
        let isURL = ["Location", "Content-Location", "Referer"].contains { $0.isSameFieldName(as: field.name) }
        return isURL ? text(ofURL: value) : text(ofPlain: value)
    }

    /// Content as text, cut after `limit` bytes; of content that is no text, only the size.
    static func text(
        ofContent data: Data,
        type: MediaType?,
        limit: Int = .max,
        hide: (String) -> String = { $0 }
    ) -> String { text(ofContent: data, type: type?.rawValue, limit: limit, hide: hide) }

    /// Content as text; nil if it is none in which secrets can be found.
    static func text(ofReadable data: Data, type: MediaType?) -> String? {
        text(ofReadable: data, type: type?.rawValue)
    }

    /// The secrets of header fields, in the pieces in which they may come back.
    package static func secrets(of headers: HTTPHeaders) -> [String] {
        headers.fields.filter { value(of: $0) == mark }.flatMap { secrets(ofField: $0.name, $0.value) }
    }

    /// The values of secret members of a form or of JSON; none of other content.
    package static func secrets(of content: Data, type: MediaType?) -> [String] {
        secrets(ofContent: content, type: type?.rawValue)
    }
}

extension SecretMemory {
    /// Remembers the secrets of a request.
    func note(_ head: RequestHead, _ body: RequestBody) {
        let fields = head.headers.fields.compactMap { field in
            field.isSecret || !Redaction.isHarmless(field: field.name) ? (field.name, field.value, field.isSecret) : nil
        }
        guard case .data(let content) = body else { return note(fields: fields, content: nil, type: nil, in: head.url) }
        note(fields: fields, content: content, type: head.headers["Content-Type"], in: head.url)
    }

    /// Remembers a secret that is a part of content.
    func note(_ secret: Secret) { note(secret.reveal()) }
}

extension RequestHead {
    /// What the request's client has sent as a secret, or decoded as one.
    package var knownSecrets: [String] { memory?.values ?? [] }
}

/// Shows itself to `dump` and debuggers without its secrets.
protocol Redacted: CustomReflectable {
    /// What is shown beside the description: values without secrets, or that hide their own.
    ///
    /// The default is nothing.
    var shownMembers: KeyValuePairs<String, Any> { get }

    /// The default has the shown members.
    var mirror: Mirror { get }
}

extension Redacted {
    var shownMembers: KeyValuePairs<String, Any> { [:] }

    /// Shows the value to `dump` and debuggers, with secrets hidden.
    public var customMirror: Mirror { mirror }

    var mirror: Mirror {
        Mirror(self, children: shownMembers, displayStyle: .struct, ancestorRepresentation: .suppressed)
    }
}
