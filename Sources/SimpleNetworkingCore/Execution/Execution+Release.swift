import SimpleNetworkingSupport

extension Execution {
    /// Ends the execution with `.abandoned` if only the released object could continue it.
    ///
    /// In that case, a callback was lost.
    func release(by request: SimpleRequest) {
        let holder = ObjectIdentifier(request)
        guard state.withLock({ $0.machine.isLost(by: holder) }) else { return }
        endIfPossible {
            guard $0.machine.isLost(by: holder) else { return false }
            let cause = $0.inherited.budget.failureOfHandlers
            return $0.end(.failure(.abandoned($0.attempt.head, $0.machine.response, after: cause)), at: $1)
        }
    }
}

extension ExecutionState {
    /// Returns whether only the released object could continue the execution.
    func isLost(by holder: Holder) -> Bool {
        (phase == .submitted || phase == .takenOver) && self.holder == holder
    }
}
