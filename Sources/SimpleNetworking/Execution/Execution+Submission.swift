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
        // The base class passes the request on as the last thing that the call does.
        let holdsHandlers = newClient?.mayHaveHooks ?? true
        if isFresh, let newClient {
            let start = Execution.Start(isFresh: true, holdsHandlers: holdsHandlers, awaitingCaller: awaitingCaller)
            if let execution = begin(start, after: nil, on: newClient) {
                awaitingCaller?.follow(execution)
                newClient.execute(request: self)
                if holdsHandlers { execution.returnCall() }
                return
            }
        }
        guard case (let current?, let former?) = state.withLock({ ($0.execution, $0.client) }) else {
            let text = "\(self): it was never executed, so there is nothing to retry."
            return RequestLogger.system.log(.warning, text)
        }
        let client = newClient ?? former
        let limit = client.maxRetries
        let now = current.clock.now
        let holder = ObjectIdentifier(self)
        let decision = current.update { state in
            state.callsUnderWay += 1
            let isInTime = state.hasTime(for: delay, at: now)
            let decision =
                isFresh
                ? state.machine.execute(by: holder, round: round, limit: limit)
                : state.machine.retry(by: holder, round: round, limit: limit, after: delay, isInTime: isInTime)
            if decision == .proceed || decision == .queue {
                state.queue(client)
                if !isFresh { state.log.add(.retry(after: delay), at: now) }
            }
            return decision
        }
        defer { current.returnCall() }
        switch decision {
        case .proceed: pass(current, to: client, after: delay)
        case .begin:
            let start = Execution.Start(isFresh: isFresh, delay: delay, holdsHandlers: true)
            guard let next = begin(start, after: current, on: client) else {
                return submit(isFresh: isFresh, on: newClient, after: delay)
            }
            if !isFresh { next.record(.retry(after: delay)) }
            pass(next, to: client, after: delay)
            next.returnCall()
        default: current.settle(decision, of: self)
        }
    }

    /// Begins an execution in place of one that has ended; nil if another call was faster.
    func begin(_ start: Execution.Start, after former: Execution?, on client: SimpleNetworking) -> Execution? {
        let now = client.clock.now
        // Not released under the lock: its `deinit` may be a user's, and so may that of an outcome.
        let predecessor = former?.predecessor
        var (formerClient, traced): (SimpleNetworking?, Execution?)
        defer { withExtendedLifetime((predecessor, formerClient, traced)) {} }
        return state.withLock { said in
            guard said.execution === former else { return nil }
            if start.isQueued, former?.state.withLock({ $0.machine.takeNext() }) != true { return nil }
            let execution = Execution(of: self, on: client, after: predecessor, start, at: now, &said)
            said.isCancelled = false
            formerClient = said.client
            traced = said.traced
            said.execution = execution
            said.traced = execution
            said.client = client
            if start.isFresh { said.pages = said.pages?.restarted }
            return execution
        }
    }

    /// Executes the request: the one call that every request, retry and awaited request goes through.
    func start(on client: SimpleNetworking) {
        let (settings, mark) = client.current
        var (former, begun): (SimpleNetworking?, Execution.Round?)
        let current = state.withLock { said in
            begun = said.execution?.state.withLock { $0.startRound(of: &said, on: client, settings, mark) }
            if begun?.decision == .proceed {
                former = said.client
                said.client = client
            }
            return said.execution
        }
        defer { withExtendedLifetime(former) {} }
        guard let current, let round = begun.take(), round.decision != .begin else {
            _ = begin(Execution.Start(isFresh: true), after: current, on: client)
            return start(on: client)
        }
        if round.forgetsFailure { client.flight.forgetFailure() }
        if round.decision == .proceed {
            current.returnCall(running: current.run(round, of: self, on: client, settings))
        } else {
            current.settle(round.decision, of: self)
            current.returnCall()
        }
    }
}

extension Execution {
    /// Does what a call has to do that starts nothing now.
    fileprivate func settle(_ decision: ExecutionState.Decision, of request: SimpleRequest) {
        switch decision {
        case .endAtLimit:
            endIfPossible { state, time in
                state.log.add(.limitReached(maxRetries: state.client?.maxRetries ?? 0), at: time)
                return state.endWithLastResult(at: time)
            }
        case .endAtDeadline(let delay):
            endIfPossible { state, time in
                state.log.add(.ignored("a retry after \(delay) s would come after the deadline"), at: time)
                return state.endWithLastResult(at: time)
            }
        case .endCancelled: end(.failure(.cancelled(nil)))
        case .ignore(let reason): ignore(reason, of: request)
        case .proceed, .begin, .queue: break
        }
    }
}

extension Execution {
    /// Lets handlers run when a call that began something has done all but return; `task` sends the request.
    func returnCall(running task: Task<Void, Never>? = nil) {
        let (isRunning, isDue) = state.withLock { state in
            state.callsUnderWay -= 1
            let isRunning = state.machine.phase == .running
            if isRunning, let task { state.task = task }
            return (isRunning, state.takeDueDelivery())
        }
        // It has ended already; nothing else can cancel the task now.
        if !isRunning { task?.cancel() }
        if isDue { deliver() }
    }
}

extension Execution.State {
    /// The last response's error is the outcome, even though a status handler wants another attempt.
    fileprivate mutating func endWithLastResult(at time: TimeInterval) -> Bool {
        let last = machine.result
        let error = last?.error ?? last?.response.map { .invalidResponse($0) } ?? .abandoned(head, nil)
        return end(.failure(error), at: time)
    }

    fileprivate mutating func takeDueDelivery() -> Bool {
        guard isDeliveryDue, callsUnderWay == 0 else { return false }
        isDeliveryDue = false
        return true
    }
}
