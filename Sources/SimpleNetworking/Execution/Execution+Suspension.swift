/// Waits while the execution's request is suspended.
extension Execution {
    /// The suspension of the request, or of the request whose awaited copy is executed.
    ///
    /// The result is nil after the end.
    var suspension: Suspension? {
        guard let request = state.withLock({ $0.request }) else { return nil }
        let owner = request.withLock { $0.original } ?? request
        return owner.withLock { $0.suspension }
    }

    var isSuspended: Bool { suspension?.isSuspended ?? false }

    /// Waits until the request isn't suspended, and returns whether it was.
    @discardableResult func waitWhileSuspended() async throws -> Bool { try await suspension?.wait() ?? false }

    /// Notes in the trace that the request was suspended or resumed.
    func noteSuspension(_ event: RequestEvent.Kind) { if isActive { record(event) } }
}
