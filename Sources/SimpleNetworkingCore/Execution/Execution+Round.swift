import SimpleNetworkingSupport

extension Execution {
    /// The state of one call to `execute(request:)`.
    ///
    /// The type is a class, because moving such a large value would cost more.
    final class Round {
        let decision: ExecutionState.Decision
        /// The specification of the request.
        let specification: RequestSpecification
        /// Whether content may be sent from, or received into, files or streams.
        let isTransfer: Bool
        /// The request's number, if the request is observed.
        var number: Int?
        var suspension: Suspension?
        /// Whether the request was first sent for another account.
        var isForeign = false
        var wantsProgress = false
        /// The refreshes that the call belongs to.
        var refreshScope = RefreshScope()
        /// The number of the round in the execution's state.
        var position = 0
        /// Whether an awaiting caller's task starts the attempt, rather than user code.
        var isBegunByTask = false
        /// Whether this is a new request, which may refresh again after a failed refresh.
        var forgetsFailure = false

        init(_ decision: ExecutionState.Decision, _ specification: consuming RequestSpecification) {
            self.decision = decision
            isTransfer = specification.isTransfer
            self.specification = specification
        }
    }
}

extension Execution.State {
    /// Returns the request's specification, with the execution's idempotency key if the request needs one.
    mutating func specification(
        of requestState: SimpleRequest.State,
        with settings: SimpleNetworking.Settings
    ) -> RequestSpecification {
        let specification = requestState.current
        guard specification.lacksIdempotencyKey else { return specification }
        return specification.with(idempotencyKey: idempotencyKey(on: settings.configuration.scheduler))
    }

    /// Returns the key for all attempts.
    ///
    /// A follow-up is another request, and has its own key.
    private mutating func idempotencyKey(on scheduler: Scheduler?) -> String {
        if let idempotencyKey = inherited.idempotencyKey, !machine.isFirstRound { return idempotencyKey }
        let key = RequestSpecification.makeIdempotencyKey(on: scheduler)
        inherited.idempotencyKey = key
        return key
    }
}
