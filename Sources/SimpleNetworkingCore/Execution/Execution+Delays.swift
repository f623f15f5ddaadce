import SimpleNetworkingSupport

/// Continues or ends an execution later, after a delay, at its deadline, or when its owners are released.
///
/// `cancel()` stops a delay with `stopTimers()`, as any other end does.
extension SimpleRequest {
    /// Passes the request to the client's `execute(request:)`, now or later.
    func pass(_ execution: Execution, to client: SimpleNetworking, after delay: TimeInterval) {
        guard delay > 0 else { return execution.pass(self, to: client) }
        // The timer retains the request, so that it isn't abandoned while it waits.
        execution.schedule(.retry, after: delay, while: { $0.phase == .submitted }) {
            if execution.wake() { execution.pass(self, to: client) }
        }
        execution.watchOwnersIfNeeded()
    }
}

extension Execution {
    /// Passes the request to the client's `execute(request:)`; no handler runs before that call returns.
    func pass(_ request: SimpleRequest, to client: SimpleNetworking) {
        if client.mayHaveHooks { startDeadline(of: request, on: client) }
        let scope = state.withLock { state in
            state.gate.hold()
            return state.inherited.refreshScope
        }
        scope.run { enter(request, on: client) }
        returnCall()
    }

    /// Ends a delay, or returns false if the execution has ended or was passed on in the meantime.
    fileprivate func wake() -> Bool { state.withLock { $0.machine.wake() } }

    /// Calls `work` after a delay, unless the execution ends first or no longer wants the alarm.
    func schedule(
        _ label: AlarmLabel,
        after seconds: TimeInterval,
        while isWanted: (ExecutionState) -> Bool = \.isActive,
        _ work: @escaping Timer
    ) {
        let cancel = clock.schedule(after: seconds, for: label, work)
        let (isKept, former) = state.withLock { state in
            guard isWanted(state.machine) else { return (false, nil as Timer?) }
            return (true, state.alarms.keep(cancel, for: label))
        }
        if !isKept { cancel() }
        // After the lock, because the user's clock created it.
        withExtendedLifetime(former) {}
    }

    /// Ends the execution when its deadline passes; all attempts share the deadline.
    ///
    /// `isFinal` is false before the first attempt, which may have another deadline.
    func startDeadline(_ seconds: TimeInterval?, _ head: RequestHead, isFinal: Bool = true) {
        guard let seconds else { return }
        let now = clock.now
        let (left, cancelFormer) = state.withLock { state -> (TimeInterval?, Timer?) in
            guard let left = state.alarms.setDeadline(seconds, at: now, isFinal: isFinal) else { return (nil, nil) }
            return (left, state.alarms.take(.deadline))
        }
        cancelFormer?()
        guard let left else { return }
        schedule(.deadline, after: max(left, 0)) { [weak self] in
            self?.end(.failure(.timedOut(.deadline(seconds), head)))
        }
    }

    /// Starts the deadline before the first attempt, which the user's `execute(request:)` may hold back.
    func startDeadline(of request: SimpleRequest, on client: SimpleNetworking) {
        let specification = request.specification
        guard let seconds = specification.deadline ?? client.settings.configuration.deadline else { return }
        let url = try? client.url(forPath: specification.path, query: specification.query)
        startDeadline(seconds, RequestHead(method: specification.method, url: url ?? client.baseURL), isFinal: false)
    }

    /// Returns whether another attempt could begin after this delay.
    func hasTime(for delay: TimeInterval) -> Bool {
        let now = clock.now
        return state.withLock { $0.alarms.hasTime(for: delay, at: now) }
    }

    /// Cancels the execution when all its handlers are bound to released objects.
    func watchOwnersIfNeeded() {
        if state.withLock({ $0.beginWatchingOwners() }) { watchOwners() }
    }

    /// Checks the owners once a second, because the release of an object isn't reported.
    func watchOwners() {
        schedule(.owners, after: 1) { [weak self] in
            guard let self else { return }
            let bonds = state.withLock { state -> [Execution.Bond]? in
                state.alarms.isWatchingOwners = state.mayLoseOwners
                return state.alarms.isWatchingOwners ? state.bonds : nil
            }
            if let bonds { lookForOwners(bonds[...]) }
        }
    }

    /// Checks the owners one after another, each where its handler runs, until it finds an owner that still exists.
    private func lookForOwners(_ bonds: ArraySlice<Bond>) {
        guard let first = bonds.first else {
            // Other handlers may have been added in the meantime.
            let isForsaken = state.withLock { $0.mayLoseOwners && $0.bonds.count == bonds.endIndex }
            return isForsaken ? cancel() : watchOwners()
        }
        first.place.run { [self] in
            let rest = bonds.drop { $0.place == first.place && $0.owner.isReleased }
            // If it is in the same place, its owner was not released.
            if let next = rest.first, next.place == first.place { return watchOwners() }
            lookForOwners(rest)
        }
    }

    /// An owner, and the place where a handler that is bound to the owner runs.
    struct Bond: Sendable {
        let owner: Owner
        let place: HandlerPlace
    }
}

extension Execution.State {
    mutating func stopTimers() { deferredWork += alarms.takeAll() }

    mutating func beginWatchingOwners() -> Bool {
        guard !alarms.isWatchingOwners, mayLoseOwners else { return false }
        alarms.isWatchingOwners = true
        return true
    }

    fileprivate var mayLoseOwners: Bool {
        machine.isActive && closing.awaitingCaller == nil && machine.queue.haveOwners
    }

    fileprivate var bonds: [Execution.Bond] {
        machine.queue.handlers.indices.compactMap { index in
            machine.queue.handlers[index].owner.map { Execution.Bond(owner: $0, place: place(of: index)) }
        }
    }
}
