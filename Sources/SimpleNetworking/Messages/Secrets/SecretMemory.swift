/// Remembers the secrets that a client has sent, so that no text shows them wherever they come back.
///
/// It keeps the most recently used values, 64 KiB of them, and none under 6 bytes, which texts contain by chance.
/// Noting a request costs a look at the names of its fields and members; all else is done when a text is made.
final class SecretMemory: Sendable {
    private struct State {
        /// The pieces to hide, by the values they were found in.
        var pieces = RecencyList<String, [String]>(limit: 64 << 10)
        /// Made together with a text.
        var hiding: Hiding?
        var names = SecretNames()

        var values: [String] { pieces.keys.flatMap { pieces.peek($0) ?? [] } }

        /// The values that are new; the others are used once more.
        mutating func unknown(_ values: [String]) -> [String] {
            values.filter { value in
                pieces.use(value)
                return !pieces.contains(value)
            }
        }
    }

    private let state = Locked(State())

    /// The pieces of the values that are remembered.
    var values: [String] { state.withLock(\.values) }

    /// How many values are remembered.
    var count: Int { state.withLock { $0.pieces.count } }

    /// Remembers the secrets of a request.
    func note(_ head: RequestHead, _ body: RequestBody) {
        let type = body.isNone ? nil : head.headers["Content-Type"].map { MediaType($0) }
        let suspects = head.headers.fields.filter { $0.isSecret || !FieldSharing.isHarmless($0.name) }
        var (fields, hasMembers) = ([String](), false)
        // Most requests need no lock.
        if !suspects.isEmpty || !body.isNone {
            (fields, hasMembers) = state.withLock { state in
                let fields = suspects.filter { $0.isSecret || state.names.contains(field: $0.name) }
                return (state.unknown(fields.map(\.value)), state.names.areContained(in: body, type))
            }
        }
        for value in fields { remember(Redaction.secrets(ofField: value), of: value) }
        var values: [String] = []
        if !head.url.absoluteString.allBytes({ $0 != UInt8(ascii: "?") }) { values = Redaction.secrets(of: head.url) }
        if hasMembers, case .data(let data) = body { values += Redaction.secrets(of: data, type: type) }
        for value in values { remember([value], of: value) }
    }

    /// Remembers a secret that is a part of content.
    func note(_ secret: Secret) {
        let value = secret.reveal()
        remember([value], of: value)
    }

    /// A text without the remembered secrets.
    func hide(in text: String) -> String {
        let hiding: Hiding? = state.withLock { state in
            if state.pieces.count == 0 { return nil }
            let hiding = state.hiding ?? Hiding(state.values)
            state.hiding = hiding
            return hiding
        }
        return hiding?.text(of: text) ?? text
    }

    private func remember(_ values: [String], of whole: String) {
        let pieces = values.filter { $0.utf8.count >= 6 }
        let cost = pieces.reduce(whole.utf8.count + 64) { $0 + $1.utf8.count }
        // A value that would evict all others is unlikely to come back.
        guard cost <= 24 << 10 else { return }
        state.withLock { state in
            guard !state.pieces.contains(whole) else { return state.pieces.use(whole) }
            _ = state.pieces.insert(whole, pieces, cost: cost)
            state.hiding = nil
        }
    }
}

/// The secrets of a message, in the pieces in which they may come back.
extension Redaction {
    /// The values of secret header fields.
    package static func secrets(of headers: HTTPHeaders) -> [String] {
        headers.fields.filter { value(of: $0) == mark }.flatMap { field -> [String] in
            // Of a cookie that is set only the value, not its attributes.
            let isSet = field.name.isSameFieldName(as: "Set-Cookie")
            let value = isSet ? field.value.prefix { $0 != ";" } : field.value[...]
            var pieces = [String(value)] + secrets(ofField: String(value))
            pieces += value.split(whereSeparator: { " ;,".contains($0) }).map(String.init)
            return pieces.filter { !schemes.contains($0.lowercased()) }
        }
    }

    /// The values of secret members of a form or of JSON; none of other content.
    package static func secrets(of content: Data, type: MediaType?) -> [String] {
        if type?.essence == MediaType.form.rawValue {
            return secrets(ofQuery: String(decoding: content, as: UTF8.self)[...])
        }
        guard let json = try? JSONSerialization.jsonObject(with: content, options: .fragmentsAllowed) else { return [] }
        return secrets(ofJSON: json, isSecret: false)
    }
}

extension RequestHead {
    /// What the request's client has sent as a secret, or decoded as one.
    package var knownSecrets: [String] { memory?.values ?? [] }
}

extension SecretNames {
    /// Tells whether a form or JSON may have a member with a secret name.
    fileprivate mutating func areContained(in body: RequestBody, _ type: MediaType?) -> Bool {
        // Secrets are sent in small forms and objects.
        guard case .data(let data) = body, data.count <= 16 << 10, let type = type?.essence else { return false }
        if type == MediaType.form.rawValue { return isMember(ofForm: data) }
        return type.hasSuffix("json") && isMember(ofJSON: data)
    }
}
