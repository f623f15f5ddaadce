/// Remembers what a client has sent as secrets, so that no text shows it wherever it comes again.
///
/// It keeps the values that were used last, 64 KiB of them, and none under 6 bytes: such stand in texts by chance. To note a
/// request costs a look at the names of its fields and members; all else is done when a text is made.
final class SecretMemory: Sendable {
    fileprivate struct State {
        /// The pieces to hide, by what they were found in.
        var pieces = RecencyList<String, [String]>(limit: 64 << 10)
        /// Made when a text is.
        var hiding: Hiding?
        var names = SecretNames()
    }

    private let state = Locked(State())

    /// How many values are remembered.
    var count: Int { state.withLock { $0.pieces.count } }

    /// Remembers what is secret in a request.
    func note(_ head: RequestHead, _ body: RequestBody) {
        let type = body.isNone ? nil : head.headers["Content-Type"].map { MediaType($0) }
        let (fields, hasMembers) = state.withLock { state in
            let fields = head.headers.fields.filter { $0.isSecret || state.names.contains(field: $0.name) }
            return (state.unknown(fields.map(\.value)), state.names.areContained(in: body, type))
        }
        for value in fields { remember(Redaction.secrets(ofField: value), of: value) }
        var values: [String] = []
        if head.url.absoluteString.utf8.contains(UInt8(ascii: "?")) { values = Redaction.secrets(of: head.url) }
        if hasMembers, case .data(let data) = body { values += Redaction.secrets(of: data, type: type) }
        for value in values { remember([value], of: value) }
    }

    /// A text without anything that is remembered.
    func hide(in text: String) -> String {
        let hiding: Hiding? = state.withLock { state in
            if state.pieces.count == 0 { return nil }
            let hiding = state.hiding ?? Hiding(state.pieces.keys.flatMap { state.pieces.peek($0) ?? [] })
            state.hiding = hiding
            return hiding
        }
        return hiding?.text(of: text) ?? text
    }

    private func remember(_ values: [String], of whole: String) {
        let pieces = values.filter { $0.utf8.count >= 6 }
        let cost = pieces.reduce(whole.utf8.count + 64) { $0 + $1.utf8.count }
        // One that pushes all others out is none that anybody repeats.
        guard cost <= 24 << 10 else { return }
        state.withLock { state in
            guard !state.pieces.contains(whole) else { return state.pieces.use(whole) }
            _ = state.pieces.insert(whole, pieces, cost: cost)
            state.hiding = nil
        }
    }
}

extension SecretMemory.State {
    /// The values that are new; the others are used once more.
    fileprivate mutating func unknown(_ values: [String]) -> [String] {
        values.filter { value in
            let isKnown = pieces.contains(value)
            if isKnown { pieces.use(value) }
            return !isKnown
        }
    }
}
