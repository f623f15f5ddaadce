extension RequestCore {
    /// Cancels the request when all its handlers are bound to objects that are gone, so that nobody would hear of its end.
    ///
    /// Nothing tells that an object has gone, so it is looked at once a second.
    func watchOwners(with clock: any RequestClock) {
        let begins = state.withLock { state in
            guard !state.isWatched, state.isBound else { return false }
            state.isWatched = true
            return true
        }
        if begins { watch(with: clock) }
    }

    private func watch(with clock: any RequestClock) {
        let goesOn = state.withLock { state in
            state.isWatched = state.isBound
            return state.isWatched
        }
        guard goesOn, !cancelIfForsaken() else { return }
        _ = clock.schedule(after: 1) { [weak self] in self?.watch(with: clock) }
    }

    /// Says whether it was cancelled.
    @discardableResult
    func cancelIfForsaken() -> Bool {
        let isForsaken = state.withLock { $0.isForsaken }
        if isForsaken { cancel() }
        return isForsaken
    }
}

extension RequestState {
    /// Whether it runs for nobody but objects that may go.
    fileprivate var isBound: Bool { execution.isActive && !handlers.isEmpty && handlers.allSatisfy(\.site.isBound) }
}
