import SimpleNetworkingSupport

extension Execution {
    /// What an execution passes on to the next one of the same request.
    struct Inheritance {
        var credential: CredentialUse
        /// The refreshes that made the request, or that made another request whose handler made the request.
        var refreshScope: RefreshScope
        var budget: BudgetShare
        /// The `Idempotency-Key` that the execution created, if the request needs one.
        var idempotencyKey: String?
        /// What features keep for the request.
        var kept = Options()
        var replacement: Replacement

        /// Creates what an execution has that begins anew.
        ///
        /// A request that its own handler executes again keeps the budget.
        init(
            of requestState: SimpleRequest.State,
            on client: SimpleNetworking,
            after before: Predecessor?,
            isQueued: Bool
        ) {
            credential = CredentialUse(account: requestState.account)
            refreshScope = .ofNewRequest
            budget = before?.inherited.budget ?? BudgetShare()
            let lineage = before == nil ? requestState.lineage : nil
            let asked = isQueued ? before?.following : nil
            replacement = Replacement(place: lineage?.place ?? asked?.place ?? Lineage.nextPlace(), lineage: lineage)
            // The user may have signed out since.
            if let users = asked?.users { credential.bind(to: users, of: client.state.identity) }
        }

        /// What an execution has that continues this one's attempts.
        var continued: Inheritance {
            var next = self
            next.credential = credential.continued
            next.replacement.lineage = nil
            return next
        }
    }

    /// The state that an execution leaves to the next one.
    final class Predecessor {
        let machine: ExecutionState
        let log: EventLog
        let inherited: Inheritance
        let following: Following

        fileprivate init(_ state: State) {
            machine = state.machine
            log = state.log
            inherited = state.inherited
            following = state.following
        }
    }

    var predecessor: Predecessor { state.withLock { Predecessor($0) } }
}
