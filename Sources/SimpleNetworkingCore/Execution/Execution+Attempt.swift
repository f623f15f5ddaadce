import SimpleNetworkingSupport

extension Execution {
    /// Sends the request, and makes additional attempts until the pipeline has a result.
    ///
    /// Returns the task that sends the request, or nil if there is nothing to send.
    func sendAttempt(
        _ round: Round,
        of request: SimpleRequest,
        on client: SimpleNetworking,
        _ settings: SimpleNetworking.Settings
    ) -> Task<Void, Never>? {
        let plan: RequestPlan
        let first: (request: TransportRequest, withheld: [String])
        do throws(SimpleNetworkingError) {
            let progress = round.wantsProgress ? progressReport(in: round.position) : nil
            plan = try RequestPlan(
                request,
                round.specification,
                on: client,
                settings,
                number: round.number,
                // A request may have been suspended after its awaited copy was made.
                suspension: round.suspension ?? lateSuspension(of: round),
                // A transport may keep the closure, and with it the execution, which releases everything else when it
                // ends.
                report: { [self] in record($0) },
                progress: progress,
                round: round.position
            )
            first = try plan.attempt(with: settings)
            if round.isForeign { throw foreignAccount }
        } catch {
            end(.failure(error))
            return nil
        }
        let head = first.request.head
        if let key = plan.specification.replacementKey, !replaceOlder(key, of: client, by: head) { return nil }
        let scope = RetryBudget.current
        let now = clock.now
        let (attempt, isHeard, watchesOwners) = update { state -> (Int?, Bool, Bool) in
            state.attempt.head = head
            guard state.mayAttempt(in: scope) else { return (nil, false, false) }
            state.beginCounting(with: settings)
            if plan.deadline == nil, let cancel = state.alarms.removeProvisionalDeadline() {
                state.deferredWork.append(cancel)
            }
            let isHeard = !plan.isPrepared && state.countAttempt(head, withheld: first.withheld, at: now)
            return (state.machine.attempt, isHeard, state.beginWatchingOwners())
        }
        guard let attempt else {
            end(.failure(.recursion(limit: state.withLock { $0.inherited.budget.limit }, head)))
            return nil
        }
        if isHeard { deliver() }
        startDeadline(plan.deadline, head)
        if watchesOwners { watchOwners() }
        return send(Pipeline(plan: plan, execution: self, first: first, attempt: attempt))
    }

    private func send(_ pipeline: Pipeline) -> Task<Void, Never> {
        let plan = pipeline.plan
        // The caller's thread may hold a lock that user code takes, so user code runs on another thread.
        let mayBeginHere = !plan.runsUserCode
        if !plan.destination.isMemory {
            return plan.engine.start(on: plan.scheduler, mayBeginHere: mayBeginHere) {
                pipeline.execution.receive(await pipeline.transfer(), of: pipeline)
            }
        }
        if plan.mayRetry {
            return plan.engine.start(on: plan.scheduler, mayBeginHere: mayBeginHere) {
                pipeline.execution.receive(await pipeline.retry(), of: pipeline)
            }
        }
        return plan.engine.start(on: plan.scheduler, mayBeginHere: mayBeginHere) {
            pipeline.execution.receive(await pipeline.run(), of: pipeline)
        }
    }

    // Inlined, it would enlarge the frame that waits.
    @inline(never)
    private func receive(_ result: AttemptResult, of pipeline: Pipeline) {
        let now = clock.now
        deliver(onThreadOf: pipeline.plan.engine) { state in
            // `succeed(with:)` may have begun a follow-up meanwhile.
            guard state.machine.round == pipeline.round else { return false }
            // No handler should take over a request that was invalid.
            if case .failure(let error) = result, !error.hasNoResponse {
                return state.machine.phase == .running && state.end(.failure(error), at: now)
            }
            guard state.machine.receive(result) else { return false }
            state.attempt.task = nil
            if case .response(let response, nil) = result {
                state.completeProgress(of: response.attempt)
                // Only a server accepts a credential.
                if !response.parts.isLocal { state.noteAcceptance() }
            }
            return true
        }
    }

    /// Lets the client's logger and monitors observe the end of an execution that ends before its first attempt.
    func watchIfUnsent() {
        let (request, client) = state.withLock { state in
            // An attempt has settings.
            state.settings == nil && state.log.watcher == nil ? (state.request, state.client) : (nil, nil)
        }
        guard let request, let client else { return }
        let (settings, specification) = (client.settings, request.withLock { $0.current })
        state.withLock { state in
            if state.settings == nil, state.machine.isActive { state.watch(with: settings, specification) }
        }
    }

    /// Counts an attempt that is sent, and returns its number.
    @discardableResult func countAttempt(_ head: RequestHead, withheld: [String]) -> Int {
        let now = clock.now
        let (isHeard, attempt) = update { ($0.countAttempt(head, withheld: withheld, at: now), $0.machine.attempt) }
        if isHeard { deliver() }
        return attempt
    }

    func log(_ message: WireMessage) { state.withLock { $0.log.watcher }?.see(message) }

    /// Prepares the next attempt's number, because `prepare(_:for:)` may read it.
    func prepareAttempt() { state.withLock { $0.machine.prepareAttempt() } }

    private func progressReport(in round: Int) -> @Sendable (TransferProgress) -> Void {
        { [weak self] progress in
            guard let self else { return }
            let isHeard = state.withLock { state in
                guard state.machine.phase == .running, state.machine.round == round else { return false }
                state.attempt.progress = progress
                // The final progress is reported once, when it is known to be final.
                return progress.maySoonEnd ? false : state.machine.queue.add(.progress(progress))
            }
            if isHeard { deliver() }
        }
    }
}

extension Execution.State {
    /// Starts an attempt if the machine proceeds.
    ///
    /// `requestState` is the request's state, which is inout to avoid a copy.
    mutating func startAttempt(
        of requestState: inout SimpleRequest.State,
        on client: SimpleNetworking,
        _ settings: SimpleNetworking.Settings,
        _ mark: RefreshState.Mark,
        roundOfHandler: Int?
    ) -> Execution.Round {
        let result = machine.result
        let values = machine.queue.values
        let decision = machine.start(limit: settings.configuration.maxRetries, round: roundOfHandler)
        if decision != .begin { gate.hold() }
        guard decision == .proceed else {
            if decision == .queue {
                queue(client, RequestUsers(of: settings, mark, requestState.specification.options))
            }
            return Execution.Round(decision, requestState.current)
        }
        requestState.mayBeHeld = false
        if machine.round > 1 || self.client !== client { release(self.client, self.settings, result, values) }
        if let cancelDelay = alarms.take(.retry) { deferredWork.append(cancelDelay) }
        let round = Execution.Round(decision, specification(of: requestState, with: settings))
        if requestState.suspension == nil, requestState.original == nil, round.isTransfer {
            requestState.suspension = Suspension()
        }
        round.suspension = requestState.suspension
        round.position = machine.round
        round.isBegunByTask = closing.awaitingCaller != nil && machine.isFirstRound && !client.mayHaveHooks
        round.refreshScope = inherited.refreshScope
        memory = client.memory
        // Its monitors may belong to an earlier client.
        if let watcher = log.watcher { release(watcher) }
        watch(with: settings, requestState.specification)
        round.number = log.watcher == nil ? nil : log.number
        let isOwn = beginCredential(mark, of: client, isSigned: settings.configuration.authenticator != nil)
        let users = settings.users(with: requestState.specification.options)
        round.isForeign = !isOwn || !inherited.credential.belongs(to: users)
        round.forgetsFailure = machine.isFirstRound && mark.hasFailed
        round.wantsProgress = machine.queue.handlers.contains { $0.waits(for: .progress(TransferProgress())) }
        self.client = client
        self.settings = settings
        attempt.progress = TransferProgress()
        return round
    }

    /// Counts an attempt, and returns whether handlers wait for the event.
    fileprivate mutating func countAttempt(_ head: RequestHead, withheld: [String], at time: TimeInterval) -> Bool {
        machine.countAttempt()
        // The content of an earlier attempt was rejected.
        drop(machine.commit.take())
        attempt.turn.begin()
        attempt.reach = Reach()
        let isHeard = record(.sent(head, attempt: machine.attempt), at: time)
        if !withheld.isEmpty { log.add(.withheld(fields: withheld), at: time) }
        return isHeard
    }

    /// Reports events to the client's logger and monitors from now on.
    fileprivate mutating func watch(
        with settings: SimpleNetworking.Settings,
        _ specification: borrowing RequestSpecification
    ) {
        let logger = settings.configuration.logger
        let monitors = settings.configuration.eventMonitors
        guard logger.level >= .info || !monitors.isEmpty else { return log.watch(nil) }
        let specification = copy specification
        let memory = self.memory
        log.watch { number, execution in
            let request = ObservedRequest(
                number: number,
                shownText: memory.hide(in: specification.description),
                tags: specification.tags,
                options: settings.configuration.options.replaced(by: specification.options),
                fileID: "\(specification.fileID)",
                line: Int(specification.line),
                execution: execution
            )
            return EventWatcher(request, logger, monitors, hiding: memory)
        }
    }

    /// Returns whether the budget allows this attempt.
    fileprivate mutating func mayAttempt(in scope: RetryBudget.Scope?) -> Bool {
        inherited.budget.allowsAttempt(in: scope, isFirst: machine.isFirstRound, isFollowUp: machine.isFollowUp)
    }

    fileprivate mutating func completeProgress(of number: Int) {
        attempt.progress.attempt = number
        attempt.progress.bytesToSend = attempt.progress.bytesSent
        attempt.progress.bytesToReceive = attempt.progress.bytesReceived
        _ = machine.queue.add(.progress(attempt.progress))
    }
}

extension TransferProgress {
    /// Whether the next report may be the last, because everything was transferred, or was sent without a response yet.
    fileprivate var maySoonEnd: Bool {
        let isSent = bytesSent == bytesToSend ?? 0
        return isSent && (bytesReceived == bytesToReceive ?? 0 || bytesSent > 0 && bytesReceived == 0)
    }
}
