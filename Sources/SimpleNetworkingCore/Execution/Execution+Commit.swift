import SimpleNetworkingSupport

/// Keeps what a response leaves behind until the outcome is known, and then carries it out or drops it.
extension Execution {
    /// Keeps a commit; returns false if the round's result isn't awaited any more.
    func keep(_ commit: Commit, of round: Int) -> Bool { state.withLock { $0.machine.hold(commit, of: round) } }

    /// Drops the commit of an earlier response, because the request is sent again.
    func dropCommit(of round: Int) {
        update { state in
            if state.machine.phase == .running, state.machine.round == round { state.drop(state.machine.commit.take()) }
        }
    }

    /// Rejects a response that was delivered to a store, but whose commit was dropped.
    func checkCommit(of response: SimpleResponse, to destination: ContentDestination) throws(SimpleNetworkingError) {
        guard destination.isStore, state.withLock({ $0.machine.phase == .running && $0.machine.commit == nil })
        else { return }
        let reason = "its middleware has sent it again, but returns the earlier response, whose content was dropped"
        throw .invalidRequest(reason: reason, response.request)
    }

    /// Carries out what a success needs, and returns the outcome.
    func carryOut(_ commit: Commit, of response: SimpleResponse) -> Outcome {
        do {
            try commit.carryOut()
            return .success(response)
        } catch {
            return .failure(SimpleNetworkingError(error, head: response.request, response: response))
        }
    }
}

extension Execution.State {
    /// Drops a commit after the lock is released.
    mutating func drop(_ commit: Commit?) { if let commit { deferredWork.append(commit.drop) } }
}
