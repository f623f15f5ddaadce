extension Execution {
    /// Ends the execution when its deadline passes; all attempts share it.
    func startDeadline(_ seconds: TimeInterval?, _ head: RequestHead) {
        guard let seconds, state.withLock({ $0.cancelDeadline == nil }) else { return }
        let end = clock.now + seconds
        let cancel = clock.schedule(after: seconds, for: .deadline) { [weak self] in
            self?.end(.failure(.timedOut(.deadline(seconds), head)))
        }
        let isRunning = state.withLock { state in
            guard state.machine.isActive else { return false }
            (state.deadline, state.cancelDeadline) = (end, cancel)
            return true
        }
        if !isRunning { cancel() }
    }

    /// Whether a further attempt after such a delay could still begin.
    func hasTime(for delay: TimeInterval) -> Bool {
        guard let deadline = state.withLock({ $0.deadline }) else { return true }
        return clock.now + delay < deadline
    }
}
