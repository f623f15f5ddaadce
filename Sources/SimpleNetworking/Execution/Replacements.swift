/// Ends a client's older requests when newer ones replace them.
final class Replacements: Sendable {
    private struct Newest {
        weak var execution: Execution?
    }

    private let newest = Locked<[String: Newest]>([:])

    var count: Int { newest.withLock { $0.count } }

    /// Makes an execution the newest with its key, and returns the former execution, or nil if there is none.
    fileprivate func replace(_ key: String, with execution: Execution) -> Execution? {
        let former = newest.withLock { newest in
            defer { newest[key] = Newest(execution: execution) }
            return newest[key]?.execution
        }
        return former === execution ? nil : former
    }

    /// Removes an execution that has ended.
    fileprivate func forget(_ execution: Execution, of key: String) {
        newest.withLock { newest in
            if newest[key]?.execution ?? execution === execution { newest[key] = nil }
        }
    }
}

/// The key and the client with which an execution replaced others.
///
/// A retry may have a different key or client.
struct Replacement {
    let key: String
    weak var client: SimpleNetworking?
}

extension Execution {
    /// Replaces the client's older requests with the same key.
    func replaceOlder(_ key: String, of client: SimpleNetworking, by head: RequestHead) {
        let replacements = client.replacements
        let isNew = state.withLock { state in
            let isKnown = state.replacement?.key == key && state.replacement?.client === client
            // One that a newer request has replaced, also before a retry, must not replace that one.
            guard !isKnown, state.machine.isActive else { return false }
            state.replacement = Replacement(key: key, client: client)
            state.afterEnd.append { [weak self] in if let self { replacements.forget(self, of: key) } }
            return true
        }
        guard isNew, let former = replacements.replace(key, with: self) else { return }
        // This execution's handlers wait until the former one's have been notified.
        state.withLock { $0.gate.hold() }
        if former.isActive { former.record(.replaced(by: head)) }
        former.cancel()
        former.runAfterEnd { [weak self] in self?.returnCall() }
    }

    /// Runs work when the last handler has returned, or at once if it has already returned.
    private func runAfterEnd(_ work: @escaping Timer) {
        let hasEnded = state.withLock { state in
            if state.isFinished { return true }
            state.afterEnd.append(work)
            return false
        }
        if hasEnded { work() }
    }
}
