extension Execution {
    /// Cancels the execution when all its handlers are bound to objects that were released.
    ///
    /// Nothing reports the release of an object, so this looks once a second.
    func lookForOwners() {
        let (isWatching, isUnheard) = state.withLock { state in
            state.isWatchingOwners = state.mayLoseOwners
            return (state.isWatchingOwners, state.awaitingCaller == nil && state.machine.queue.areOwnersReleased)
        }
        guard isWatching else { return }
        guard !isUnheard else { return cancel() }
        let cancel = clock.schedule(after: 1, for: .owners) { [weak self] in self?.lookForOwners() }
        let isActive = state.withLock { state in
            if state.machine.isActive { state.cancelOwnersTimer = cancel }
            return state.machine.isActive
        }
        if !isActive { cancel() }
    }
}

extension Execution.State {
    mutating func beginWatchingOwners() -> Bool {
        guard !isWatchingOwners, mayLoseOwners else { return false }
        isWatchingOwners = true
        return true
    }

    var mayLoseOwners: Bool { machine.isActive && machine.queue.haveOwners }
}
