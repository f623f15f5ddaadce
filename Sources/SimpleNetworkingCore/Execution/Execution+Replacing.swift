import SimpleNetworkingSupport

/// The place of an execution among the requests with the same key.
struct Replacement {
    /// The position of the request, in the order in which the user asked for requests.
    let place: Int
    /// Nil if the request replaces no others, and after the end.
    var lineage: Lineage?
}

extension Execution {
    /// The position of the request, in the order in which the user asked for requests.
    var place: Int { state.withLock { $0.inherited.replacement.place } }

    /// Takes the request's place among the client's requests with the key, which newer ones may replace from now on.
    func join(_ key: String, of client: SimpleNetworking) {
        let lineage = state.withLock { state -> Lineage? in
            guard state.machine.isActive else { return nil }
            let lineage = state.inherited.replacement.lineage ?? Lineage(place: state.inherited.replacement.place)
            state.inherited.replacement.lineage = lineage
            return lineage
        }
        lineage?.join(client.replacements, key, with: self)
    }

    /// Ends the client's older requests with the same key, or this one if a newer one has begun.
    ///
    /// Returns whether the request goes on.
    func replaceOlder(_ key: String, of client: SimpleNetworking, by head: RequestHead) -> Bool {
        join(key, of: client)
        guard let lineage = state.withLock({ $0.inherited.replacement.lineage }) else { return true }
        switch client.replacements.begin(lineage, key, head) {
        case .newest(let older):
            for execution in older.compactMap({ $0.replace(by: head) }) { replace(execution, by: head) }
            return true
        case .replaced(let newer):
            record(.replaced(by: newer))
            endIfPossible { state, time in
                state.attempt.head = head
                return state.cancel(at: time)
            }
            return false
        }
    }

    /// Cancels an older request, whose handlers are called before those of this one.
    private func replace(_ former: Execution, by head: RequestHead) {
        let place = state.withLock { state in
            state.gate.hold()
            return state.inherited.replacement.place
        }
        if former.isActive { former.record(.replaced(by: head)) }
        if !former.isAskedAgain(after: place) { former.cancel() }
        former.runAfterEnd { [weak self] in self?.returnCall() }
    }

    /// Whether another execution follows the end for which the user asked later.
    private func isAskedAgain(after place: Int) -> Bool {
        state.withLock { state in
            guard !state.machine.isActive, state.machine.next?.isFresh == true else { return false }
            return state.following.place.map { $0 > place } ?? false
        }
    }

    /// Runs work when the last handler has returned, or at once if it has already returned.
    private func runAfterEnd(_ work: @escaping Timer) {
        let hasEnded = state.withLock { state in
            if state.closing.isFinished { return true }
            state.closing.work.append(work)
            return false
        }
        if hasEnded { work() }
    }
}
