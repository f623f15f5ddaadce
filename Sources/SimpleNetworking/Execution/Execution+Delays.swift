/// What continues or ends an execution later: the delay before a retry, the deadline, and the release of its owners.
///
/// `cancel()` stops a delay like every other end: `stopTimers()`.
extension SimpleRequest {
    func pass(_ execution: Execution, to client: SimpleNetworking, after delay: TimeInterval) {
        guard delay > 0 else { return client.execute(request: self) }
        guard execution.state.withLock({ $0.machine.delay() }) else { return }
        // The timer holds the request, so that it isn't abandoned while it waits.
        execution.schedule(.retry, after: delay, while: { $0.phase == .submitted }) {
            if execution.state.withLock({ $0.machine.wake() }) { client.execute(request: self) }
        }
    }
}

extension Execution {
    /// Calls `work` after some seconds, unless the execution ends before; does nothing if it is not wanted any more.
    func schedule(
        _ label: AlarmLabel,
        after seconds: TimeInterval,
        while isWanted: (ExecutionState) -> Bool = \.isActive,
        _ work: @escaping Timer
    ) {
        let cancel = clock.schedule(after: seconds, for: label, work)
        let isKept = state.withLock { state in
            guard isWanted(state.machine) else { return false }
            state.timers[label] = cancel
            return true
        }
        if !isKept { cancel() }
    }

    /// Ends the execution when its deadline passes; all attempts share it.
    func startDeadline(_ seconds: TimeInterval?, _ head: RequestHead) {
        guard let seconds else { return }
        let end = clock.now + seconds
        let isFirst = state.withLock { state in
            defer { state.deadline = state.deadline ?? end }
            return state.deadline == nil
        }
        guard isFirst else { return }
        schedule(.deadline, after: seconds) { [weak self] in self?.end(.failure(.timedOut(.deadline(seconds), head))) }
    }

    /// Whether a further attempt after such a delay could still begin.
    func hasTime(for delay: TimeInterval) -> Bool {
        guard let deadline = state.withLock({ $0.deadline }) else { return true }
        return clock.now + delay < deadline
    }

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
        schedule(.owners, after: 1) { [weak self] in self?.lookForOwners() }
    }
}

extension Execution.State {
    mutating func stopTimers() {
        leftovers += timers.values
        timers = [:]
    }

    mutating func beginWatchingOwners() -> Bool {
        guard !isWatchingOwners, mayLoseOwners else { return false }
        isWatchingOwners = true
        return true
    }

    fileprivate var mayLoseOwners: Bool { machine.isActive && machine.queue.haveOwners }
}
