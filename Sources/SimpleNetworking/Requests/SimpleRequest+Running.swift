extension SimpleRequest {
    enum Submission { case execute, retry }

    /// Asks for an execution or an attempt; what is allowed goes to the client's one door.
    func submit(_ submission: Submission, on newClient: (any RequestExecutor)?, after delay: TimeInterval = 0) {
        guard let client = newClient ?? core.state.withLock({ $0.client }) else {
            return core.ignore("it was never executed, so there is nothing to retry")
        }
        let settings = client.executionSettings
        let (action, last, former) = core.state.withLock { state in
            let former = state.use(client, settings)
            let action =
                switch submission {
                case .execute: state.execution.submit(.execute, inHandSince: ticket?.epoch)
                case .retry: state.execution.submit(.retry(limit: settings.maxRetries), inHandSince: ticket?.epoch)
                }
            if action == .queued { state.queuedDelay = delay }
            return (action, (state.response, state.error), former)
        }
        withExtendedLifetime(former) {}
        if submission == .retry, action == .submit || action == .queued { core.log.record(.retry(after: delay)) }
        switch action {
        case .submit where delay > 0: submit(on: client, after: delay, clock: settings.clock)
        case .submit: client.execute(request: self)
        case .queued: break
        case .endAtLimit: endAtLimit(settings.maxRetries, last)
        case .ignore(let reason): core.ignore(reason)
        }
    }

    /// The handlers of the ended execution have run, and one of them had asked for another execution.
    func resubmit() {
        let (client, settings, delay) = core.state.withLock { ($0.client, $0.settings, $0.queuedDelay) }
        guard let client, let settings else { return }
        if delay > 0 {
            submit(on: client, after: delay, clock: settings.clock)
        } else {
            client.execute(request: self)
        }
    }

    private func submit(on client: any RequestExecutor, after delay: TimeInterval, clock: any RequestClock) {
        // The timer holds the request: nobody else may, and it is not abandoned while it waits.
        let cancel = clock.schedule(after: delay) { client.execute(request: self) }
        let waits = core.state.withLock { state in
            guard state.execution.phase == .submitted else { return false }
            state.cancelDelay = cancel
            return true
        }
        if !waits { cancel() }
    }

    /// What the last response means is the end, though a status handler would have it otherwise.
    private func endAtLimit(_ limit: Int, _ last: (response: SimpleResponse?, error: SimpleNetworkingError?)) {
        core.log.record(.limitReached(maxRetries: limit))
        let head = core.state.withLock { $0.head }
        let error = last.error ?? last.response.map { .invalidResponse($0) } ?? .abandoned(head, nil)
        core.end(.failure(error))
    }

    /// The one door was passed: starts an attempt, if the request is one to start.
    func start(on client: any RequestExecutor) {
        let settings = client.executionSettings
        let (action, last, former, timer) = core.state.withLock { state in
            let last = (state.response, state.error)
            let action = state.execution.start(limit: settings.maxRetries)
            let former = state.use(client, settings)
            var timer: (@Sendable () -> Void)?
            if case .run = action { timer = state.beginAttempt() }
            return (action, last, former, timer)
        }
        withExtendedLifetime(former) {}
        timer?()
        switch action {
        case .run(let epoch, let attempt): run(epoch: epoch, attempt: attempt, on: client, settings)
        case .queued: break
        case .endAtLimit: endAtLimit(settings.maxRetries, last)
        case .endCancelled: core.end(.failure(.cancelled(nil)))
        case .ignore(let reason): core.ignore(reason)
        }
    }

    private func run(epoch: Int, attempt: Int, on client: any RequestExecutor, _ settings: ExecutionSettings) {
        let isFurtherPage = attempt == 1 && core.state.withLock { $0.execution.isFurtherPage }
        if attempt == 1, !isFurtherPage { core.log.restart(clock: settings.clock) }
        core.letWatch(settings)
        let stamp = client.flight.stamp(isNew: attempt == 1)
        core.state.withLock { state in
            state.stamp = stamp
            state.isRenewal = SingleFlight.isRenewing
            // All pages belong to one account.
            if attempt == 1 { state.renewedStamp = nil }
            if attempt == 1, !isFurtherPage { state.account = nil }
        }
        let plan: RequestPlan
        do {
            plan = try client.plan(for: self)
        } catch {
            return core.end(.failure(error), epoch: epoch)
        }
        let context = Lineage.current
        let isAllowed = core.state.withLock { state in
            state.head = plan.request.head
            state.startingEpoch = epoch
            return isFurtherPage || state.joinFamily(context, attempt: attempt)
        }
        guard isAllowed else {
            let error = SimpleNetworkingError.recursion(limit: settings.maxRetries + 1, plan.request.head)
            return core.end(.failure(error), epoch: epoch)
        }
        startDeadline(settings, head: plan.request.head)
        core.watchOwners(with: settings.clock)
        // Until it ends, the attempt is what holds the request.
        let pipeline = Pipeline(plan: plan, log: core.log)
        #if compiler(>=6.2) && os(Linux)
            // Hands the request to the engine on this thread: one hop fewer. Apple's older systems do not have it.
            let task = Task.immediate { self.receive(await pipeline.run(), epoch: epoch) }
        #else
            let task = Task { self.receive(await pipeline.run(), epoch: epoch) }
        #endif
        let isCurrent = core.state.withLock { state in
            if state.startingEpoch == epoch { state.startingEpoch = nil }
            guard state.execution.phase == .running, state.execution.epoch == epoch else { return false }
            state.task = task
            return true
        }
        // It has ended already, or was cancelled meanwhile; then nobody else can stop the task.
        if !isCurrent { task.cancel() }
    }

    private func receive(_ verdict: Verdict, epoch: Int) {
        // Nobody is to take over what was wrong in itself.
        if case .failed(let error) = verdict, !error.isLackOfResponse { return core.end(.failure(error), epoch: epoch) }
        let (isExpected, isWithinCall) = core.state.withLock { state in
            guard state.execution.receive(epoch: epoch) else { return (false, false) }
            (state.response, state.error) = (verdict.response, verdict.error)
            if case .answered(let response, nil) = verdict { state.completeProgress(of: response.attempt) }
            return (true, state.startingEpoch == epoch)
        }
        core.cancelIfForsaken()
        // A transport that answers at once does so on the caller's thread, which must not decode.
        if isExpected { core.wake(holding: self, from: isWithinCall ? nil : .pool) }
    }

    private func startDeadline(_ settings: ExecutionSettings, head: RequestHead) {
        let (isKept, own) = core.state.withLock { ($0.cancelDeadline != nil, $0.specification.deadline) }
        guard !isKept, let seconds = own ?? settings.deadline else { return }
        // Weak: a deadline is no owner, else an abandoned request would wait for it.
        let cancel = settings.clock.schedule(after: seconds) { [weak core] in
            core?.end(.failure(.timedOut(.deadline(seconds), head)))
        }
        let isRunning = core.state.withLock { state in
            guard state.execution.isActive else { return false }
            state.cancelDeadline = cancel
            return true
        }
        if !isRunning { cancel() }
    }
}

extension RequestState {
    /// Gives the client before, to be released when the lock is gone: its `deinit` may be a user's.
    fileprivate mutating func use(
        _ client: any RequestExecutor,
        _ settings: ExecutionSettings
    ) -> (any RequestExecutor)? {
        defer { (self.client, self.settings) = (client, settings) }
        return self.client
    }

    /// Says whether the family's budget allows this attempt.
    fileprivate mutating func joinFamily(_ context: Lineage.Context?, attempt: Int) -> Bool {
        if attempt > 1 { return !isDescendant || family?.spend() ?? true }
        // A request executed afresh by its own descendant stays the family's origin.
        if let family, context?.family === family, !isDescendant { return true }
        family = context?.family
        isDescendant = context != nil
        guard let context, context.isStatusHandler else { return true }
        return context.family.spend()
    }
}
