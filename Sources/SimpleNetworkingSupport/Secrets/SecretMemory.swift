/// Remembers the secrets that a client has sent, so that logs and descriptions hide them wherever they occur.
///
/// It keeps the most recently used values, up to 64 KiB, but none under 6 bytes, which text may contain by chance.
/// Recording a request only checks the names of its fields and members; all other work is done when a text is created.
package final class SecretMemory: Sendable {
    private struct State {
        /// The pieces to hide, by the values in which they were found.
        var pieces = RecencyList<String, [String]>(limit: 64 << 10)
        /// Created together with a text.
        var hiding: SecretReplacement?
        var names = SecretNames()

        var values: [String] { pieces.keys.flatMap { pieces.peek($0) ?? [] } }

        /// Returns the values that are new, and marks the others as used.
        mutating func unknown(_ values: [String]) -> [String] {
            values.filter { value in
                pieces.use(value)
                return !pieces.contains(value)
            }
        }
    }

    private let state = Locked(State())

    /// The pieces of the remembered values.
    package var values: [String] { state.withLock(\.values) }

    /// The number of remembered values.
    package var count: Int { state.withLock { $0.pieces.count } }

    package init() {}

    /// Remembers the secrets of a request: in its fields, in its URL, and in content that is in memory.
    package func note(
        fields: [(name: String, value: String, isSecret: Bool)],
        content: Data?,
        type: String?,
        in url: URL
    ) {
        var unknown = [String]()
        var hasMembers = false
        // Most requests need no lock.
        if !fields.isEmpty || content != nil {
            (unknown, hasMembers) = state.withLock { state in
                let secrets = fields.filter { $0.isSecret || state.names.contains(field: $0.name) }
                return (state.unknown(secrets.map(\.value)), state.names.areContained(in: content, type: type))
            }
        }
        for value in unknown { remember(Redaction.secrets(ofField: value), of: value) }
        var values: [String] = []
        if url.absoluteString.contains(anyOf: "?") { values = Redaction.secrets(of: url) }
        if hasMembers, let content { values += Redaction.secrets(ofContent: content, type: type) }
        for value in values { remember([value], of: value) }
    }

    /// Remembers a secret that is part of content.
    package func note(_ secret: String) { remember([secret], of: secret) }

    /// Returns a text without the remembered secrets.
    package func hide(in text: String) -> String {
        let hiding: SecretReplacement? = state.withLock { state in
            if state.pieces.count == 0 { return nil }
            let hiding = state.hiding ?? SecretReplacement(state.values)
            state.hiding = hiding
            return hiding
        }
        return hiding?.text(of: text) ?? text
    }

    private func remember(_ values: [String], of whole: String) {
        let pieces = values.filter { $0.utf8.count >= 6 }
        let cost = pieces.reduce(whole.utf8.count + 64) { $0 + $1.utf8.count }
        // A value that would evict all others is unlikely to reappear.
        guard cost <= 24 << 10 else { return }
        state.withLock { state in
            guard !state.pieces.contains(whole) else { return state.pieces.use(whole) }
            _ = state.pieces.insert(whole, pieces, cost: cost)
            state.hiding = nil
        }
    }
}
