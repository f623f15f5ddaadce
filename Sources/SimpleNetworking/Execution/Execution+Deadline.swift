extension Execution {
    /// Ends the execution when its deadline passes; all attempts share it.
    func startDeadline(_ seconds: TimeInterval?, _ head: RequestHead) {
        guard let seconds, state.withLock({ $0.cancelDeadline == nil }) else { return }
        let cancel = clock.schedule(after: seconds, for: .deadline) { [weak self] in
            self?.end(.failure(.timedOut(.deadline(seconds), head)))
        }
        let isRunning = state.withLock { state in
            guard state.machine.isActive else { return false }
            state.cancelDeadline = cancel
            return true
        }
        if !isRunning { cancel() }
    }
}
