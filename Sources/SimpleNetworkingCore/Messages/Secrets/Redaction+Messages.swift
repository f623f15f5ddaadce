import SimpleNetworkingSupport

/// Hides secrets in the parts of a message, wherever they are described, logged or thrown.
extension Redaction {
    static func value(of field: HTTPHeaders.Field) -> String {
        field.isSecret || isSecret(field: field.name) ? mark : field.value
    }

    /// Returns the value of a header field with secrets hidden, including secrets in URLs.
    @inline(never)  // Inlined 6 times, it took 2 KB.
    static func text(of field: HTTPHeaders.Field) -> String {
        let value = value(of: field)
        guard value != mark, value.contains(anyOf: "=@") else { return value }
        let isURL = ["Location", "Content-Location", "Referer"].contains { $0.isSameFieldName(as: field.name) }
        return isURL ? text(ofURL: value) : text(ofPlain: value)
    }

    /// Returns textual content, truncated to `limit` bytes, or only the size of other content.
    static func text(
        ofContent data: Data,
        type: MediaType?,
        limit: Int = .max,
        hide: (String) -> String = { $0 }
    ) -> String { text(ofContent: data, type: type?.rawValue, limit: limit, hide: hide) }

    /// Returns content as text, or nil if secrets can't be found in it.
    static func text(ofReadable data: Data, type: MediaType?) -> String? {
        text(ofReadable: data, type: type?.rawValue)
    }

    /// Returns the secrets in header fields, as whole values and as the substrings that a server may return.
    package static func secrets(of headers: HTTPHeaders) -> [String] {
        headers.fields.filter { value(of: $0) == mark }.flatMap { secrets(ofField: $0.name, $0.value) }
    }

    /// Returns the values of secret members of a form or of JSON; returns none for other content.
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

    /// Remembers a secret that is part of content.
    func note(_ secret: Secret) { note(secret.reveal()) }
}

extension RequestHead {
    /// The secrets that the request's client has sent or decoded.
    package var knownSecrets: [String] { memory?.values ?? [] }
}

/// Hides secrets from `dump` and debuggers.
package protocol Redacted: CustomReflectable {
    /// The members that are shown in addition to the description; they contain no secrets, or hide them.
    ///
    /// The default is empty.
    var shownMembers: KeyValuePairs<String, Any> { get }

    /// The mirror; by default, it contains the shown members.
    var mirror: Mirror { get }
}

extension Redacted {
    package var shownMembers: KeyValuePairs<String, Any> { [:] }

    /// A mirror for `dump` and debuggers, with secrets hidden.
    public var customMirror: Mirror { mirror }

    package var mirror: Mirror { makeMirror(of: self) }
}

/// Takes any value, so that it isn't compiled again for each type.
@inline(never)
private func makeMirror(of value: any Redacted) -> Mirror {
    Mirror(value, children: value.shownMembers, displayStyle: .struct, ancestorRepresentation: .suppressed)
}
