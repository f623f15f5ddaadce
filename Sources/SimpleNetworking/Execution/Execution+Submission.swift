extension SimpleRequest {
    /// Executes the request afresh, or sends it again; what is allowed goes through the client's `execute(request:)`.
    ///
    /// A nil client means the one that executed it last; `awaitingCaller` is resumed with the outcome.
    func submit(
        isFresh: Bool,
        on newClient: SimpleNetworking?,
        after delay: TimeInterval = 0,
        _ awaitingCaller: AwaitingCaller? = nil
    ) {
        if isFresh, let newClient, let execution = begin(after: nil, isFresh: true, on: newClient, awaitingCaller) {
            awaitingCaller?.follow(execution)
            return newClient.execute(request: self)
        }
        guard case (let current?, let former?) = state.withLock({ ($0.execution, $0.client) }) else {
            let text = "\(self): it was never executed, so there is nothing to retry."
            return RequestLogger.system.log(.warning, text)
        }
        let client = newClient ?? former
        let (limit, now, holder) = (client.maxRetries, current.clock.now, ObjectIdentifier(self))
        let decision = current.update { state in
            let decision =
                isFresh
                ? state.machine.execute(by: holder, round: round, limit: limit)
                : state.machine.retry(by: holder, round: round, limit: limit, after: delay)
            if decision == .proceed || decision == .queue {
                state.queue(client)
                if !isFresh { state.log.add(.retry(after: delay), at: now) }
            }
            return decision
        }
        switch decision {
        case .proceed: pass(current, to: client, after: delay)
        case .begin:
            guard let next = begin(after: current, isFresh: isFresh, on: client) else {
                return submit(isFresh: isFresh, on: newClient, after: delay)
            }
            if !isFresh { next.record(.retry(after: delay)) }
            pass(next, to: client, after: delay)
        default: current.settle(decision, of: self)
        }
    }

    /// Begins an execution in place of one that has ended; nil if another call was faster.
    ///
    /// A queued execution begins unless it was cancelled since.
    func begin(
        after former: Execution?,
        isFresh: Bool,
        isQueued: Bool = false,
        on client: SimpleNetworking,
        _ awaitingCaller: AwaitingCaller? = nil
    ) -> Execution? {
        let now = client.clock.now
        // Not released under the lock: its `deinit` may be a user's, and so may that of an outcome.
        var (formerClient, traced): (SimpleNetworking?, Execution?)
        defer { withExtendedLifetime((formerClient, traced)) {} }
        return state.withLock { said in
            guard said.execution === former else { return nil }
            if isQueued, former?.state.withLock({ $0.machine.takeNext() }) != true { return nil }
            let execution = Execution(of: self, on: client, after: former, isFresh, at: now, &said, awaitingCaller)
            said.isCancelled = false
            (formerClient, traced) = (said.client, said.traced)
            (said.execution, said.traced, said.client) = (execution, execution, client)
            if isFresh { said.pages = said.pages?.restarted }
            return execution
        }
    }

    /// Executes the request: the one call that every request, retry and awaited request goes through.
    func start(on client: SimpleNetworking) {
        let (settings, mark) = client.current
        var (former, begun): (SimpleNetworking?, Execution.Round?)
        let current = state.withLock { said in
            begun = said.execution?.state.withLock { $0.startRound(of: &said, on: client, settings, mark) }
            if begun?.decision == .proceed { (former, said.client) = (said.client, client) }
            return said.execution
        }
        defer { withExtendedLifetime(former) {} }
        guard let current, let round = begun.take(), round.decision != .begin else {
            _ = begin(after: current, isFresh: true, on: client)
            return start(on: client)
        }
        if round.forgetsFailure { client.flight.forgetFailure() }
        if round.decision == .proceed { return current.run(round, of: self, on: client, settings) }
        current.settle(round.decision, of: self)
    }
}

extension Execution {
    /// Does what a call has to do that starts nothing now.
    fileprivate func settle(_ decision: ExecutionState.Decision, of request: SimpleRequest) {
        switch decision {
        case .endAtLimit:
            endIfPossible { state, time in
                state.log.add(.limitReached(maxRetries: state.client?.maxRetries ?? 0), at: time)
                // The last response's error is the outcome, even though a status handler wants another attempt.
                let last = state.machine.result
                let error = last?.error ?? last?.response.map { .invalidResponse($0) } ?? .abandoned(state.head, nil)
                return state.end(.failure(error), at: time)
            }
        case .endCancelled: end(.failure(.cancelled(nil)))
        case .ignore(let reason): ignore(reason, of: request)
        case .proceed, .begin, .queue: break
        }
    }
}
