import SimpleNetworkingSupport

/// Waits while the execution's request is suspended.
extension Execution {
    /// Returns the suspension of the request, or of the request whose awaited copy is executed.
    ///
    /// The result is nil after the end, or if the request has never been suspended and none is to be created.
    func suspension(creating isNeeded: Bool = false) -> Suspension? {
        guard let request = state.withLock({ $0.request }) else { return nil }
        let owner = request.withLock { $0.original } ?? request
        return owner.withLock { requestState in
            if requestState.suspension == nil, isNeeded { requestState.suspension = Suspension() }
            return requestState.suspension
        }
    }

    /// Returns the suspension for a round whose request had none when the round began, because an awaited
    /// copy's original may have been suspended later.
    func lateSuspension(of round: Round) -> Suspension? {
        round.position > 1 || round.isTransfer ? suspension(creating: round.isTransfer) : nil
    }

    var isSuspended: Bool { suspension()?.isSuspended ?? false }

    /// Waits until the request isn't suspended.
    func waitWhileSuspended() async throws { try await suspension()?.wait() }

    /// Notes in the trace that the request was suspended or resumed.
    func noteSuspension(_ event: RequestEvent.Kind) { if isActive { record(event) } }
}
