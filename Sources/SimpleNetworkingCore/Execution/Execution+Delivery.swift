import SimpleNetworkingSupport

/// Runs the handlers one after another, each on its own queue or actor.
extension Execution {
    /// Changes the state and runs the handlers that are due.
    ///
    /// If handlers are already running, that run includes the new handlers. No handler runs before the call that
    /// executes the request is about to return. Outside the place where this method was called, no handler runs before
    /// the method has returned. If `engine` is given, the current thread belongs to the engine or to the pool, and has
    /// no other work. `change` returns whether there may be handlers to run.
    @inline(never)  // Inlined 19 times, it took 9 KB.
    func deliver(onThreadOf engine: EngineTraits? = nil, after change: (inout State) -> Bool = { _ in true }) {
        let now = clock.now
        let next = update { state -> Next in
            guard change(&state), state.gate.open() else { return .nothing }
            return state.next(at: now)
        }
        guard let step = advance(to: next) else { return }
        // Other callers have more to do before handlers may run.
        guard let engine else { return step.place.run { self.perform(step) } }
        if step.place.isPool { perform(step, onThreadOf: engine) } else { goOn(with: step, onThreadOf: engine) }
    }

    /// Runs a step and the steps that follow it.
    ///
    /// Steps in the same place don't need a further hop.
    private func perform(_ first: Step, onThreadOf engine: EngineTraits? = nil) {
        var step = first
        while true {
            let run = run(step)
            let now = clock.now
            let next = update { state in
                if let run { state.note(run, at: now) }
                return state.next(at: now)
            }
            guard let following = advance(to: next) else { return }
            guard following.place == step.place else { return goOn(with: following, onThreadOf: engine) }
            step = following
        }
    }

    /// Performs a step in another place.
    ///
    /// This thread has nothing left to do after the call.
    private func goOn(with step: Step, onThreadOf engine: EngineTraits?) {
        step.place.run(mayRunHere: engine?.mayRunHandlers() ?? false) { self.perform(step) }
    }

    /// Performs the work that is not bound to a place, and returns the next step that is bound to a place.
    private func advance(to next: Next) -> Step? {
        switch next {
        case .nothing: return nil
        case .ending(let ending):
            finish(ending)
            return nil
        case .step(let step):
            switch step.action {
            case .follow(let followUp):
                follow(followUp)
                return nil
            case .deliver(let response):
                provide(response)
                return nil
            case .undecodable(let error):
                ignore("a handler that was added after the end has no value: \(error)")
                let now = clock.now
                return advance(to: update { $0.next(at: now) })
            default: return step
            }
        }
    }

    /// The result of a step that must still be recorded.
    fileprivate enum Run {
        case handler(decision: Bool?, duration: TimeInterval)
        case decoding(Result<Handler?, SimpleNetworkingError>, index: Int, generation: Int)
        case commit(Outcome)
    }

    private func run(_ step: Step) -> Run? {
        switch step.action {
        case .decode(let index, let response):
            return .decoding(decode(index, response), index: index, generation: step.generation)
        case .commit(let commit, let response): return .commit(carryOut(commit, of: response))
        case .drop(let commit): commit.drop()
        case .tell(let index, let notice): return tell(index, notice, step)
        case .decide(let index, let result): decide(index, result, step)
        case .refuse(let index, let error): refuse(index, error, step)
        case .decideFollowUp(let index): return decideFollowUp(index, step)
        case .conclude(let index, let outcome, let response): return conclude(index, outcome, response, step)
        case .follow, .deliver, .end, .undecodable, .finish: break
        }
        return nil
    }

    private func tell(_ index: Int, _ notice: Notice, _ step: Step) -> Run? {
        func tell(_ handler: Handler) -> Bool? {
            if case .notice(let body) = handler.body { body(notice) }
            return nil
        }
        guard notice.isProgress else { return record(index, step, tell) }
        // Recording these would fill the trace.
        let handler = state.withLock { $0.machine.queue.handler(at: index) }
        _ = step.whileOwnerIsKept { tell(handler) }
        return nil
    }

    private func decide(_ index: Int, _ result: AttemptResult, _ step: Step) {
        // Since the step was created, the request may have been retried or ended.
        guard let requestState = state.withLock({ $0.requestState(inRound: step.round, .handling) }) else { return }
        var request = SimpleRequest(requestState, round: step.round)
        var continues = true
        let run = record(index, step) { handler in
            switch (handler.body, result) {
            case (.status(let body), .response(let response, _)): continues = body(request, response)
            case (.noResponse(let body), .failure(let error)): continues = body(request, error)
            default: break
            }
            return continues
        }
        guard case .handler(let decision, let duration) = run else { return }
        let holder = isKnownUniquelyReferenced(&request) ? nil : ObjectIdentifier(request)
        let now = clock.now
        update { state in
            state.log.completeHandler(decision, duration, isRequestKept: holder != nil)
            guard !continues, state.machine.takeOver(by: holder, round: step.round) else { return }
            _ = state.end(.failure(.stopped(state.attempt.head, state.machine.response)), isSilent: true, at: now)
        }
        // Any other owner may release it in the meantime: its release counts from here on.
        withExtendedLifetime(request) {}
    }

    /// Ends the execution with a value's decoding error, unless the owner of the value's handler was released.
    private func refuse(_ index: Int, _ error: SimpleNetworkingError, _ step: Step) {
        let isOwned = step.whileOwnerIsKept {} != nil
        let now = clock.now
        update { state in
            guard state.machine.queue.generation == step.generation else { return }
            if isOwned {
                _ = state.end(.failure(error), at: now)
            } else {
                state.release(state.machine.queue.values)
                state.machine.queue.setDecoded(.success(nil), at: index, generation: step.generation)
            }
        }
    }

    private func decideFollowUp(_ index: Int, _ step: Step) -> Run? {
        guard state.withLock({ $0.requestState(inRound: step.round, .handling, .deciding) }) != nil else { return nil }
        return record(index, step) { handler in
            guard case .followUp(let body) = handler.body else { return nil }
            let decision = body()
            for reason in decision.ignored { ignore(reason) }
            if decision.continues { state.withLock { $0.machine.queue.followUp = decision.followUp } }
            return decision.continues
        }
    }

    private func conclude(_ index: Int, _ outcome: Outcome, _ response: SimpleResponse?, _ step: Step) -> Run? {
        record(index, step) { handler in
            var body = handler.body
            // The handler was added after a success that it can't decode.
            if case .value = body { body = (try? value(for: handler, nil))?.body ?? body }
            switch (body, outcome) {
            case (.success(let body), .success(let response)): body(response)
            case (.error(let body), .failure(let error)): body(error, response)
            case (.completion(let body), _): body(outcome)
            default: break
            }
            return nil
        }
    }

    /// Runs a handler and records the run, or returns nil if the handler's owner was released.
    private func record(_ index: Int, _ step: Step, _ body: (Handler) -> Bool?) -> Run? {
        step.whileOwnerIsKept {
            let start = clock.now
            let (handler, refreshScope) = state.withLock { state in
                let handler = state.machine.queue.handler(at: index)
                let source = (handler.fileID, handler.line)
                let run = HandlerRun(kind: handler.kind, source: source, location: step.place.name)
                state.log.add(.handler(run), at: start)
                return (handler, state.inherited.refreshScope)
            }
            var decision: Bool?
            refreshScope.run { RetryBudget.run(in: step.scope) { decision = body(handler) } }
            return .handler(decision: decision, duration: clock.now - start)
        }
    }
}

extension Execution.State {
    fileprivate mutating func note(_ run: Execution.Run, at time: TimeInterval) {
        switch run {
        case .handler(let decision, let duration): log.completeHandler(decision, duration)
        case .decoding(let result, let index, let generation):
            machine.queue.setDecoded(result, at: index, generation: generation)
        case .commit(let outcome): settle(outcome, at: time)
        }
    }
}
