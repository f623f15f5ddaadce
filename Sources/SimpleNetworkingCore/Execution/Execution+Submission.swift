import SimpleNetworkingSupport

/// Submits requests: `submit` → `makeExecution` → the client's `execute(request:)` → `startAttempt`.
extension SimpleRequest {
    /// Executes the request from the start, or sends it again, through the client's `execute(request:)` if allowed.
    ///
    /// If `client` is nil, the client that last executed the request is used. `awaitingCaller` is resumed with the
    /// outcome. With `whileInHand`, nothing starts if no status handler has the request any more.
    func submit(
        isFresh: Bool,
        on client: SimpleNetworking?,
        after delay: TimeInterval = 0,
        whileInHand: Bool = false,
        _ awaitingCaller: AwaitingCaller? = nil
    ) {
        if isFresh, let client, submitFirst(on: client, awaitingCaller) { return }
        // Another call may create an execution in the meantime; that execution then decides.
        while !submitAgain(isFresh: isFresh, on: client, after: delay, whileInHand: whileInHand) {}
    }

    /// Executes the request for the first time, or returns false if it was executed before.
    private func submitFirst(on client: SimpleNetworking, _ awaitingCaller: AwaitingCaller?) -> Bool {
        // The base class passes the request on as the last step of the call.
        let holdsHandlers = client.mayHaveHooks
        let start = Execution.Start(isFresh: true, holdsHandlers: holdsHandlers, awaitingCaller: awaitingCaller)
        guard let execution = makeExecution(start, after: nil, on: client) else { return false }
        awaitingCaller?.follow(execution)
        if holdsHandlers { execution.startDeadline(of: self, on: client) }
        execution.enter(self, on: client)
        if holdsHandlers { execution.returnCall() }
        return true
    }

    /// Lets the last execution decide, or returns false if another execution replaced it in the meantime.
    @inline(never)  // Inlined 5 times, it took 10 KB.
    private func submitAgain(
        isFresh: Bool,
        on newClient: SimpleNetworking?,
        after delay: TimeInterval,
        whileInHand: Bool
    ) -> Bool {
        let (last, lastClient, options) = state.withLock { ($0.execution, $0.client, $0.current.options) }
        guard let current = last, let former = lastClient else {
            RequestLogger.system.log(.warning, "\(self): it was never executed, so there is nothing to retry.")
            return true
        }
        let client = newClient ?? former
        let limit = client.maxRetries
        let (settings, mark) = client.current
        let users = RequestUsers(of: settings, mark, options)
        let now = current.clock.now
        let holder = ObjectIdentifier(self)
        let decision = current.update { state -> ExecutionState.Decision in
            state.gate.hold()
            if whileInHand, !state.machine.isInHand(of: round) { return .ignore("the request ended meanwhile") }
            let isInTime = state.alarms.hasTime(for: delay, at: now)
            let decision =
                isFresh
                ? state.machine.execute(by: holder, round: round, limit: limit)
                : state.machine.retry(by: holder, round: round, limit: limit, after: delay, isInTime: isInTime)
            if decision == .proceed || decision == .queue {
                state.queue(client, users)
                if !isFresh { state.log.add(.retry(after: delay), at: now) }
            }
            return decision
        }
        defer { current.returnCall() }
        switch decision {
        case .proceed:
            state.withLock { $0.mayBeHeld = true }
            pass(current, to: client, after: delay)
        case .begin:
            let start = Execution.Start(isFresh: isFresh, delay: delay, holdsHandlers: true)
            guard let next = makeExecution(start, after: current, on: client) else { return false }
            if !isFresh { next.record(.retry(after: delay)) }
            pass(next, to: client, after: delay)
            next.returnCall()
        default: current.carryOut(decision, of: self)
        }
        return true
    }

    /// Creates an execution that replaces an ended execution, or returns nil if another call was faster.
    func makeExecution(_ start: Execution.Start, after former: Execution?, on client: SimpleNetworking) -> Execution? {
        let now = client.clock.now
        // Not released under the lock, because these and an outcome may have user-defined `deinit`s.
        let predecessor = former?.predecessor
        var (formerClient, traced): (SimpleNetworking?, Execution?)
        defer { withExtendedLifetime((predecessor, formerClient, traced)) {} }
        let (made, key) = state.withLock { requestState -> (Execution?, String?) in
            guard requestState.execution === former else { return (nil, nil) }
            if start.isQueued, former?.takeNext() != true { return (nil, nil) }
            let execution = Execution(of: self, on: client, after: predecessor, start, at: now, &requestState)
            requestState.isCancelled = false
            formerClient = requestState.client
            traced = requestState.traced
            // The execution of an awaited copy.
            if let traced, traced !== former, traced.isActive { requestState.awaited.append(traced) }
            requestState.execution = execution
            requestState.mayBeHeld = true
            requestState.traced = execution
            requestState.client = client
            if start.isFresh { requestState.followUp = requestState.followUp?.restarted }
            return (execution, requestState.specification.replacementKey)
        }
        if let key { made?.join(key, of: client) }
        return made
    }

    /// Starts an attempt after the client's `execute(request:)`, which every request, retry and follow-up goes through.
    func startAttempt(on client: SimpleNetworking) {
        // If called directly, there may be no execution yet.
        while let missing = startAttemptOfExecution(on: client) {
            // Another call may create an execution in the meantime; that execution then decides.
            _ = makeExecution(Execution.Start(isFresh: true), after: missing.ended, on: client)
        }
    }

    /// The reason why no attempt can start: there is no execution, or it has ended.
    private struct MissingExecution {
        let ended: Execution?
    }

    /// Starts an attempt of the current execution, if there is one that has not ended.
    private func startAttemptOfExecution(on client: SimpleNetworking) -> MissingExecution? {
        let (settings, mark) = client.current
        var formerClient: SimpleNetworking?
        var begun: Execution.Round?
        let current = state.withLock { requestState in
            begun = requestState.execution?.startAttempt(
                of: &requestState,
                on: client,
                settings,
                mark,
                roundOfHandler: round
            )
            if begun?.decision == .proceed {
                formerClient = requestState.client
                requestState.client = client
            }
            return requestState.execution
        }
        defer { withExtendedLifetime(formerClient) {} }
        guard let current, let round = begun.take(), round.decision != .begin else {
            return MissingExecution(ended: current)
        }
        if round.forgetsFailure { client.sharedRefresh.forgetFailure() }
        if round.decision == .proceed {
            let engine = round.isBegunByTask ? settings.session.engine : nil
            // A subclass may have passed the request on from anywhere.
            let task = round.refreshScope.run { current.sendAttempt(round, of: self, on: client, settings) }
            current.returnCall(running: task, in: round.position, onThreadOf: engine)
        } else {
            current.carryOut(round.decision, of: self)
            current.returnCall()
        }
        return nil
    }
}

extension Execution {
    /// Performs the decision of a call that starts no attempt now.
    fileprivate func carryOut(_ decision: ExecutionState.Decision, of request: SimpleRequest) {
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
    /// Takes the submission that follows the end, or returns false if it was cancelled.
    fileprivate func takeNext() -> Bool { state.withLock { $0.machine.takeNext() } }

    /// Starts an attempt.
    ///
    /// `requestState` is the request's state, which is inout to avoid a copy.
    fileprivate func startAttempt(
        of requestState: inout SimpleRequest.State,
        on client: SimpleNetworking,
        _ settings: SimpleNetworking.Settings,
        _ mark: RefreshState.Mark,
        roundOfHandler: Int?
    ) -> Round {
        state.withLock {
            $0.startAttempt(of: &requestState, on: client, settings, mark, roundOfHandler: roundOfHandler)
        }
    }

    /// Lets handlers run when a call that started work is about to return.
    ///
    /// `task` sends the request in this round. Another thread may have begun the next round since then. If `engine` is
    /// given, the current thread belongs to the pool and has no other work.
    @inline(never)  // Inlined 7 times, it took 3 KB.
    func returnCall(
        running task: Task<Void, Never>? = nil,
        in round: Int? = nil,
        onThreadOf engine: EngineTraits? = nil
    ) {
        let (isRunning, isDue) = state.withLock { state in
            let isDue = state.gate.release()
            let isRunning = state.machine.phase == .running && round.map { $0 == state.machine.round } ?? true
            if isRunning, let task { state.attempt.task = task }
            return (isRunning, isDue)
        }
        // The execution has already ended, and nothing else can cancel the task now.
        if !isRunning { task?.cancel() }
        if isDue { deliver(onThreadOf: engine) }
    }
}

extension Execution.State {
    /// Makes the last response's error the outcome, even if a status handler requested another attempt.
    fileprivate mutating func endWithLastResult(at time: TimeInterval) -> Bool {
        let last = machine.result
        let error = last?.error ?? last?.response.map { .invalidResponse($0) } ?? .abandoned(attempt.head, nil)
        return end(.failure(error), at: time)
    }
}
