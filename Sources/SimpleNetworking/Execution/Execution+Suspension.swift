/// Suspends and resumes an execution.
extension Execution {
    var isSuspended: Bool { state.withLock { $0.suspension }?.isSuspended ?? false }

    /// Suspends the execution unless it has ended.
    func suspend(by request: SimpleRequest) {
        let suspender = ObjectIdentifier(request)
        let suspension = state.withLock { state -> Suspension? in
            guard state.machine.isActive else { return nil }
            let suspension = state.suspension ?? Suspension()
            state.suspension = suspension
            return suspension
        }
        if suspension?.suspend(by: suspender) == true { record(.suspended) }
    }

    func resume() {
        if state.withLock({ $0.suspension })?.resume() == true { record(.resumed) }
    }

    /// Resumes the execution if it was suspended by an object that is being released, and that nobody can resume.
    func resume(releasing suspender: ObjectIdentifier) {
        guard let suspension = state.withLock({ $0.suspension }), suspension.suspender == suspender else { return }
        resume()
    }

    /// Waits until the execution isn't suspended.
    func waitWhileSuspended() async throws { try await state.withLock { $0.suspension }?.wait() }
}
