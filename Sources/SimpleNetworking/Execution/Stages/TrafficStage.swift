/// Sends a request when the client's traffic rules allow it, separately for each redirect.
struct TrafficStage: Middleware {
    let rules: TrafficRules
    let plan: RequestPlan
    let execution: Execution
    /// Whether an attempt is rebuilt if the credential changed while it waited.
    let mayRemake: Bool

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard let origin = Origin(request.url) else { return try await next(request) }
        let lane = TrafficQueue.Lane(origin: origin, account: execution.account?.number)
        let slot = try await slot(in: lane, for: request)
        request.onTurn?()
        var request = request
        if case .receiver = plan.destination, case .stream(let receive) = request.sink {
            // The reader of a stream may itself send requests, or never reach the end.
            request.sink = .stream { part in
                if case .head(let status, let headers) = part { slot.giveBack(after: end(status, headers)) }
                try await receive(part)
            }
        }
        do {
            let response = try await next(request)
            slot.giveBack(after: end(response.httpStatus, response.headers))
            return response
        } catch let refused as ContentDelivery.Refused {
            slot.giveBack(after: end(refused.response.httpStatus, refused.response.headers))
            throw refused
        } catch {
            slot.giveBack(after: .failure)
            throw error
        }
    }

    /// Waits for a slot while the request isn't suspended.
    ///
    /// - Throws: `OutdatedCredential` if the request must be rebuilt; its slot is then kept, unless user code prepares it.
    private func slot(in lane: TrafficQueue.Lane, for request: TransportRequest) async throws -> TrafficGate.Slot {
        if let kept = execution.takeKeptSlot(in: lane) { return kept }
        let (settings, mark) = plan.client.current
        var slot = try await enter(lane, request)
        let hasWaited = slot.waited != nil
        var wasSuspended = false
        // A transfer that several requests share isn't held back by one of them.
        while hasWaited, request.onTurn == nil, execution.isSuspended {
            slot.giveBack(after: .unsent)
            wasSuspended = true
            let start = plan.clock.now
            try await execution.waitWhileSuspended()
            execution.noteWait(plan.clock.now - start)
            slot = try await enter(lane, request)
        }
        guard mayRemake, hasWaited, !request.isRedirected else {
            guard !wasSuspended || execution.belongs(to: plan.client.current.mark.account) else {
                slot.giveBack(after: .unsent)
                throw execution.foreignAccount
            }
            return slot
        }
        let needsRefresh = request.isOutdated?() ?? false
        let (newSettings, newMark) = plan.client.current
        guard needsRefresh || newSettings !== settings || newMark.generation != mark.generation else { return slot }
        // User code that prepares the request again may send requests, which would wait for
        // the slot. If requests share a transfer, the one that started it may be gone.
        let keepsSlot = !plan.isPrepared && request.onTurn == nil
        if keepsSlot { execution.keep(slot) } else { slot.giveBack(after: .unsent) }
        throw OutdatedCredential(followsSuspension: wasSuspended)
    }

    private func enter(_ lane: TrafficQueue.Lane, _ request: TransportRequest) async throws -> TrafficGate.Slot {
        let slot = try await plan.client.gate.enter(lane, request.head, turn) { execution.record($0) }
        execution.noteTurn(after: slot.waited)
        return slot
    }

    private func end(_ status: Int, _ headers: HTTPHeaders) -> TrafficQueue.End {
        .response(rules.heedsServer ? ServerWord(status: status, headers) : nil)
    }

    private var turn: TrafficGate.Turn {
        .init(priority: plan.specification.priority, since: execution.turnStart, isAgain: execution.hasHadTurn)
    }
}

/// A request waited for its turn, and its credential was replaced in the meantime.
struct OutdatedCredential: Error {
    /// Whether the request was suspended, so that a credential that was refreshed for it may have expired.
    var followsSuspension = false
}

/// An execution's record of its waits.
struct TurnWait {
    /// The number of seconds that the attempt has waited for its turn.
    var waited: TimeInterval = 0
    /// Whether the attempt has had a slot.
    var hasHadTurn = false
    /// Whether the attempt is rebuilt because its credential was replaced while it waited.
    var isRemade = false
    /// The slot that the attempt keeps until it is rebuilt.
    var slot: TrafficGate.Slot?
    /// The time at which the page was requested, or nil for the first page.
    var pageStart: TimeInterval?
}

extension Execution {
    /// Whether other requests wait for the request, because a refresh or a status handler made it.
    var isUrgent: Bool { state.withLock { $0.refreshScope.isRunning || $0.budget.isOfStatusHandler } }

    /// The time of the execution or of the page's request, which decides the request's position in the queue.
    ///
    /// This time also applies after a rejected or rebuilt attempt.
    fileprivate var turnStart: TimeInterval { state.withLock { $0.turn.pageStart ?? $0.log.start } }

    /// Notes that the next page is requested, whose request goes to the end of the queue.
    func notePage() {
        let now = clock.now
        state.withLock { $0.turn.pageStart = now }
    }

    fileprivate func keep(_ slot: TrafficGate.Slot) {
        let former = state.withLock { state in
            defer { state.turn.slot = slot }
            return state.turn.slot
        }
        former?.giveBack(after: .unsent)
    }

    /// Returns the slot that was kept for the attempt, and no longer keeps it.
    ///
    /// A slot in another lane is released, because the attempt would wait for itself.
    fileprivate func takeKeptSlot(in lane: TrafficQueue.Lane) -> TrafficGate.Slot? {
        let kept = takeKeptSlot()
        if kept?.lane == lane { return kept }
        kept?.giveBack(after: .unsent)
        return nil
    }

    /// Releases a slot that was kept but not needed.
    func giveBackKeptSlot() { takeKeptSlot()?.giveBack(after: .unsent) }

    private func takeKeptSlot() -> TrafficGate.Slot? { state.withLock { $0.turn.slot.take() } }

    /// Begins the time of an attempt again, and makes its next preparation, if there is one, belong to the same attempt.
    func noteRemaking(isPrepared: Bool) {
        state.withLock { state in
            state.turn.isRemade = isPrepared
            // A request that waited for another's transfer was let into the queue with it.
            state.turn.hasHadTurn = true
            state.turn.waited = 0
        }
    }

    /// Returns whether the attempt was already counted and is now prepared again.
    func takeRemaking() -> Bool {
        state.withLock { state in
            defer { state.turn.isRemade = false }
            return state.turn.isRemade
        }
    }

    /// Adds seconds that don't count against the attempt's timeout.
    func noteWait(_ seconds: TimeInterval) { state.withLock { $0.turn.waited += seconds } }

    fileprivate var hasHadTurn: Bool { state.withLock { $0.turn.hasHadTurn } }

    /// Notes that the attempt is sent, after a wait of this many seconds, or without a wait if nil.
    fileprivate func noteTurn(after waited: TimeInterval?) {
        state.withLock { state in
            state.turn.waited += waited ?? 0
            state.turn.hasHadTurn = true
            state.credential.noteTurn(hasWaited: waited != nil)
        }
    }

    /// The number of seconds that the attempt has waited for its turn.
    var waited: TimeInterval { state.withLock { $0.turn.waited } }
}
