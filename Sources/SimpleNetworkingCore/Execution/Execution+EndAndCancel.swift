import SimpleNetworkingSupport

/// Ends an execution: by its outcome, by a call, or because the last object that could continue it is released.
extension Execution {
    /// The work to do when the last handler has returned.
    struct Ending {
        let outcome: Outcome
        let isHeard: Bool
        let closing: Closing
        let request: Locked<SimpleRequest.State>?
        let next: (isFresh: Bool, delay: TimeInterval)?
        let client: SimpleNetworking?
        let nextScope: RefreshScope
        // Released with this value, and not under the lock.
        let handlers: HandlerQueue
        let settings: SimpleNetworking.Settings?
        let formerClient: SimpleNetworking?
        /// The place where the handlers of a request that another request's handler made are released.
        let place: HandlerPlace?
    }

    /// Decides the outcome unless it is already decided, and notifies the handlers.
    func end(_ outcome: Outcome) { endIfPossible { $0.end(outcome, at: $1) } }

    func cancel(by request: SimpleRequest? = nil) { endIfPossible(by: request) { $0.cancel(at: $1) } }

    func fail(_ error: any Error, by request: SimpleRequest) {
        endInHand(of: request) {
            $0.end(.failure(.init(error, head: $0.attempt.head, response: $0.machine.response)), at: $1)
        }
    }

    func succeed(with response: SimpleResponse, by request: SimpleRequest) {
        // Read before the execution's lock is taken.
        let destination = request.specification.destination
        endInHand(of: request) { state, time in
            // The replaced values may contain the user's error.
            state.release(state.machine.result, state.machine.queue.values)
            let needsDelivery = state.machine.needsDelivery(of: response, to: destination)
            switch state.machine.decide(on: response, needsDelivery: needsDelivery) {
            case nil: return false
            case false?: return state.end(.success(response), at: time)
            case true?:
                // Or else before its delivery, because the transfer may have the file.
                if !needsDelivery { state.cancelTask() }
                return true
            }
        }
    }

    func stop(by request: SimpleRequest) {
        endInHand(of: request) {
            $0.end(.failure(.stopped($0.attempt.head, $0.machine.response)), isSilent: true, at: $1)
        }
    }

    /// Notifies the handlers if `end` decides the outcome.
    ///
    /// `request` is the object on which the ending method was called.
    func endIfPossible(by request: SimpleRequest? = nil, _ end: (inout State, TimeInterval) -> Bool) {
        watchIfUnsent()
        let now = clock.now
        let hasEnded = update { state in
            let hasEnded = end(&state, now)
            if hasEnded, request?.round == state.machine.round { state.machine.isHandlerUnaware = false }
            return hasEnded
        }
        if hasEnded { deliver() }
    }

    /// Ends the execution, but ignores a status handler that has retried the request.
    private func endInHand(of request: SimpleRequest, _ end: (inout State, TimeInterval) -> Bool) {
        let refusal = state.withLock { $0.machine.refusal(round: request.round) }
        if let refusal { ignore(refusal, of: request) } else { endIfPossible(by: request, end) }
    }

    /// Goes on with another target.
    func follow(_ followUp: any FollowUp) {
        guard let request = state.withLock({ $0.request }) else { return }
        let handle = SimpleRequest(request)
        let client = request.withLock { requestState -> SimpleNetworking? in
            // The execution may have ended in the meantime, and another one begun.
            guard requestState.execution === self,
                let client = state.withLock({ $0.machine.passFollowUp(by: ObjectIdentifier(handle)) ? $0.client : nil })
            else { return nil }
            requestState.followUp = followUp
            requestState.mayBeHeld = true
            return client
        }
        guard let client else { return }
        record(.note(followUp.note))
        noteFollowUp()
        pass(handle, to: client)
    }

    func finish(_ ending: Ending) {
        reportIfUnhandled(ending)
        ending.closing.awaitingCaller?.resume(with: ending.outcome)
        for work in ending.closing.work { work() }
        ending.place?.run { withExtendedLifetime(ending) {} }
        guard let next = ending.next, let requestState = ending.request, let client = ending.client else { return }
        let request = SimpleRequest(requestState)
        let start = Start(isFresh: next.isFresh, delay: next.delay, isQueued: true)
        // This thread may belong to a refresh that the call did not belong to, or to none.
        let execution = ending.nextScope.run { request.makeExecution(start, after: self, on: client) }
        let (handlers, isCancelled) = state.withLock { ($0.machine.takeHandlersForNext(), $0.machine.next == nil) }
        if let execution {
            request.pass(execution, to: client, after: next.delay)
        } else if isCancelled, handlers.map({ add($0, to: requestState, on: client) }).contains(true) {
            // No other execution notifies them of an end.
            deliver()
        }
    }

    /// Reports an error that reaches neither a handler nor an awaiting caller.
    private func reportIfUnhandled(_ ending: Ending) {
        guard case .failure(let error) = ending.outcome, ending.closing.awaitingCaller == nil, !ending.isHeard else {
            return
        }
        // The caller or a handler caused these deliberately.
        switch error {
        case .cancelled, .stopped: return
        default: break
        }
        guard let (fileID, line) = ending.request?.withLock({ ($0.specification.fileID, $0.specification.line) }) else {
            return
        }
        record(.unhandled(fileID: "\(fileID)", line: Int(line)))
        let origin = "the request was made at \(fileID):\(line)"
        let text = "The error is unhandled: \(origin), and has neither an error handler nor a completion handler."
        ending.client?.configuration.logger.log(.error, "\(error.summary) \(text)")
    }
}

extension Execution.State {
    mutating func end(_ outcome: Outcome, isSilent: Bool = false, at time: TimeInterval) -> Bool {
        guard machine.end(outcome, isSilent: isSilent) else { return false }
        recordEnd(outcome, at: time)
        return true
    }

    mutating func cancel(at time: TimeInterval) -> Bool {
        let outcome = Outcome.failure(.cancelled(attempt.head))
        guard machine.cancel(outcome) else { return false }
        recordEnd(outcome, at: time)
        return true
    }

    /// Makes the result of a commit the outcome.
    mutating func settle(_ outcome: Outcome, at time: TimeInterval) {
        machine.settle(outcome)
        recordEnd(outcome, at: time)
    }

    private mutating func recordEnd(_ outcome: Outcome, at time: TimeInterval) {
        endCounting()
        switch outcome {
        case .success(let response): log.add(.ended(.success(response.httpStatus)), at: time)
        case .failure(let error):
            log.add(.ended(.failure(error)), at: time)
            inherited.budget.note(error)
            if let commit = machine.commit { deferredWork.append(commit.expectDrop) }
        }
        cancelTask()
        stopTimers()
    }

    /// Cancels the task that sends the request, after the lock is released.
    mutating func cancelTask() {
        if let task = attempt.task { deferredWork.append { task.cancel() } }
        attempt.task = nil
    }

    /// Returns the remaining work and the objects to release at the end.
    mutating func takeEnding(_ outcome: Outcome) -> Execution.Ending {
        inherited.budget.close()
        defer {
            gate.close()
            closing = Execution.Closing(isFinished: true)
            request = nil
            client = nil
            following.client = nil
            settings = nil
            inherited.replacement.lineage = nil
        }
        // A handler still running may wait for these, so their captures are released after it, where both were
        // written.
        let place = inherited.budget.isOfHandler && !machine.queue.handlers.isEmpty ? place(of: 0) : nil
        return Execution.Ending(
            outcome: outcome,
            isHeard: machine.queue.handlers.contains { $0.isCompletion || $0.waits(for: outcome) },
            closing: closing,
            request: request,
            next: machine.next,
            client: following.client ?? client,
            nextScope: following.scope,
            handlers: machine.queue.removeAll(),
            settings: settings,
            formerClient: client,
            place: place
        )
    }
}
