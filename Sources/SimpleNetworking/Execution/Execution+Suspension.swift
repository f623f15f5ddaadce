/// Waits while the execution's request is suspended.
extension Execution {
    /// Returns the suspension of the request, or of the request whose awaited copy is executed.
    ///
    /// The result is nil after the end, or if the request has never been suspended and none is to be created.
    func suspension(creating isNeeded: Bool = false) -> Suspension? {
        guard let request = state.withLock({ $0.request }) else { return nil }
        let owner = request.withLock { $0.original } ?? request
        return owner.withLock { said in
            if said.suspension == nil, isNeeded { said.suspension = Suspension() }
            return said.suspension
        }
    }

    /// Returns the suspension for a round whose request had none when the round began, because an awaited
    /// copy's original may have been suspended later.
    func lateSuspension(of round: Round) -> Suspension? {
        round.position > 1 || round.isTransfer ? suspension(creating: round.isTransfer) : nil
    }

    var isSuspended: Bool { suspension()?.isSuspended ?? false }

    /// Waits until the request isn't suspended, and returns whether it was.
    @discardableResult func waitWhileSuspended() async throws -> Bool { try await suspension()?.wait() ?? false }

    /// Waits before a request is sent that was suspended after it was built, and returns for how many seconds.
    ///
    /// - Throws: `OutdatedCredential` if the request must be rebuilt, because its credential may have expired.
    func waitWhileSuspended(toSend request: TransportRequest, of plan: RequestPlan) async throws -> TimeInterval {
        let start = plan.clock.now
        guard belongs(to: plan.client.current.mark.account) else { throw foreignAccount }
        try await waitWhileSuspended()
        try Task.checkCancellation()
        let waited = plan.clock.now - start
        noteWait(waited)
        // Meanwhile, another user may have signed in.
        guard belongs(to: plan.client.current.mark.account) else { throw foreignAccount }
        // The user's middleware should not see that as a failure, and a redirected request was carried out.
        if plan.settings.configuration.middleware.isEmpty, !request.isRedirected {
            throw OutdatedCredential(followsSuspension: true)
        }
        return waited
    }

    /// Notes in the trace that the request was suspended or resumed.
    func noteSuspension(_ event: RequestEvent.Kind) { if isActive { record(event) } }
}
