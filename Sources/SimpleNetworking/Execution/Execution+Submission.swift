extension SimpleRequest {
    enum Submission { case execute, retry }

    /// Requests an execution or another attempt; what is allowed goes through the client's `execute(request:)`.
    ///
    /// - Parameters:
    ///   - submission: What is requested.
    ///   - newClient: The client; nil means the one that executed it last.
    ///   - delay: Seconds to wait before.
    ///   - awaitingCaller: Resumed with the outcome.
    func submit(
        _ submission: Submission,
        on newClient: SimpleNetworking?,
        after delay: TimeInterval = 0,
        _ awaitingCaller: AwaitingCaller? = nil
    ) {
        if submission == .execute, let client = newClient,
            let execution = begin(after: nil, isFresh: true, on: client, awaitingCaller)
        {
            awaitingCaller?.follow(execution)
            return client.execute(request: self)
        }
        guard case (let current?, let former?) = state.withLock({ ($0.execution, $0.client) }) else {
            let text = "\(self): it was never executed, so there is nothing to retry."
            return RequestLogger.system.log(.warning, text)
        }
        let client = newClient ?? former
        switch current.submit(submission, by: self, on: client, after: delay) {
        case .submit: pass(current, to: client, after: delay)
        case .begin:
            guard let next = begin(after: current, isFresh: submission == .execute, on: client) else {
                return submit(submission, on: newClient, after: delay)
            }
            if submission == .retry { next.record(.retry(after: delay)) }
            pass(next, to: client, after: delay)
        case .queue: break
        case .endAtLimit: current.endAtLimit()
        case .ignore(let reason): current.ignore(reason, of: self)
        }
    }

    /// Calls `execute(request:)`, now or later.
    func pass(_ execution: Execution, to client: SimpleNetworking, after delay: TimeInterval) {
        guard delay > 0 else { return client.execute(request: self) }
        guard execution.state.withLock({ $0.machine.delay() }) else { return }
        // The timer holds the request, so that it isn't abandoned while it waits.
        let cancel = execution.clock.schedule(after: delay, for: .retry) {
            if execution.state.withLock({ $0.machine.wake() }) { client.execute(request: self) }
        }
        execution.keep(delay: cancel)
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
        return state.withLock { state in
            guard state.execution === former else { return nil }
            if isQueued, former?.state.withLock({ $0.machine.takeNext() }) != true { return nil }
            let execution = Execution(
                of: self,
                on: client,
                following: former,
                isFresh: isFresh,
                at: now,
                &state,
                awaitingCaller
            )
            state.isCancelled = false
            (formerClient, traced) = (state.client, state.traced)
            (state.execution, state.traced, state.client) = (execution, execution, client)
            if isFresh { state.pages = state.pages?.restarted }
            return execution
        }
    }

    /// Executes the request: the one call that every request, retry and awaited request goes through.
    func start(on client: SimpleNetworking) {
        let (settings, mark) = client.current
        var former: SimpleNetworking?
        let (current, round) = state.withLock { said in
            let round = said.execution?.startRound(of: &said, on: client, settings, mark)
            if round?.start == .run { (former, said.client) = (said.client, client) }
            return (said.execution, round)
        }
        defer { withExtendedLifetime(former) {} }
        guard let current, let round else {
            _ = begin(after: nil, isFresh: true, on: client)
            return start(on: client)
        }
        round.former?.cancelDelay?()
        if round.forgetsFailure { client.flight.forgetFailure() }
        switch round.start {
        case .run: current.run(round, of: self, on: client, settings)
        case .begin:
            _ = begin(after: current, isFresh: true, on: client)
            start(on: client)
        case .endAtLimit: current.endAtLimit()
        case .endCancelled: current.end(.failure(.cancelled(nil)))
        case .ignore(let reason): current.ignore(reason, of: self)
        case .queue: break
        }
    }
}

extension Execution {
    fileprivate func submit(
        _ submission: SimpleRequest.Submission,
        by request: SimpleRequest,
        on client: SimpleNetworking,
        after delay: TimeInterval
    ) -> ExecutionState.Submission {
        let limit = client.maxRetries
        let now = clock.now
        let holder = ObjectIdentifier(request)
        return update { state in
            let decision =
                switch submission {
                case .execute: state.machine.execute(by: holder, round: request.round, limit: limit)
                case .retry: state.machine.retry(by: holder, round: request.round, limit: limit, after: delay)
                }
            switch decision {
            case .submit, .queue:
                state.queue(client)
                if submission == .retry { state.log.add(.retry(after: delay), at: now) }
            default: break
            }
            return decision
        }
    }

    fileprivate func keep(delay cancel: @escaping Timer) {
        let waits = state.withLock { state in
            guard state.machine.phase == .submitted else { return false }
            state.cancelDelay = cancel
            return true
        }
        if !waits { cancel() }
    }

    /// The last response's error is the outcome, even though a status handler wants another attempt.
    fileprivate func endAtLimit() {
        endIfPossible { state, time in
            state.log.add(.limitReached(maxRetries: state.client?.maxRetries ?? 0), at: time)
            let last = state.machine.result
            let error = last?.error ?? last?.response.map { .invalidResponse($0) } ?? .abandoned(state.head, nil)
            return state.end(.failure(error), at: time)
        }
    }
}
