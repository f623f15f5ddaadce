extension Execution {
    /// Ends the execution with `.abandoned` if only the released object could continue it.
    ///
    /// In that case, a callback was lost.
    func release(by request: SimpleRequest) {
        let holder = ObjectIdentifier(request)
        guard state.withLock({ $0.machine.isLost(by: holder) }) else { return }
        endIfPossible {
            $0.machine.isLost(by: holder) && $0.end(.failure(.abandoned($0.attempt.head, $0.machine.response)), at: $1)
        }
    }
}

extension ExecutionState {
    /// Returns whether only the released object could continue the execution.
    func isLost(by holder: Holder) -> Bool {
        (phase == .submitted || phase == .takenOver) && self.holder == holder
    }
}
