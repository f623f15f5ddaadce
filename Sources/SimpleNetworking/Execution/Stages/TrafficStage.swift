/// Sends a request when the client's traffic rules let it; each redirect waits anew.
struct TrafficStage: Middleware {
    let rules: TrafficRules
    let plan: RequestPlan
    let execution: Execution
    /// Whether an attempt is made anew if the credential has changed while it waited.
    let mayRemake: Bool

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard let origin = Origin(request.url) else { return try await next(request) }
        let gate = plan.client.gate
        let lane = TrafficQueue.Lane(origin: origin, account: execution.account?.number)
        let (settings, mark) = plan.client.current
        let place = try await gate.enter(lane, request.head, turn) { execution.record($0) }
        if place.waited > 0 { execution.noteWait(place.waited) }
        execution.noteTurn(hasWaited: place.hasWaited)
        if mayRemake, place.hasWaited {
            let (newSettings, newMark) = plan.client.current
            if newSettings !== settings || newMark.generation != mark.generation {
                gate.leave(place, after: .unsent)
                throw OutdatedCredential()
            }
        }
        request.onTurn?()
        do {
            let response = try await next(request)
            gate.leave(place, after: .response(rules.heedsServer ? ServerWord(response) : nil))
            return response
        } catch {
            gate.leave(place, after: .failure)
            throw error
        }
    }

    private var turn: TrafficGate.Turn {
        .init(priority: plan.specification.priority, since: execution.start)
    }
}

/// Says that a request has waited for its turn, and that the credential which it carries has been replaced meanwhile.
struct OutdatedCredential: Error {}

/// What an execution keeps of its waits.
struct TurnWait {
    /// Seconds that the attempt has waited for its turn.
    var waited: TimeInterval = 0
    /// Whether the attempt is made anew, since its credential was replaced while it waited.
    var isRemade = false
}

extension Execution {
    /// Whether others wait for it: it is a refresh's own, or a status handler's.
    var isUrgent: Bool { state.withLock { !$0.refreshScope.isEmpty || $0.budget.isOfStatusHandler } }

    /// When it was executed: that decides its place in line, also after an attempt that was refused or made anew.
    fileprivate var start: TimeInterval { state.withLock { $0.log.start } }

    /// Lets the next preparation be one of the same attempt.
    func noteRemaking() { state.withLock { $0.turn.isRemade = true } }

    /// Whether the attempt was counted already, and is prepared again.
    func takeRemaking() -> Bool {
        state.withLock { state in
            defer { state.turn.isRemade = false }
            return state.turn.isRemade
        }
    }

    /// Counts seconds that don't belong to the attempt's timeout.
    func noteWait(_ seconds: TimeInterval) { state.withLock { $0.turn.waited += seconds } }

    /// Notes that the attempt is sent, and whether it has waited for its turn.
    fileprivate func noteTurn(hasWaited: Bool) { state.withLock { $0.credential.noteTurn(hasWaited: hasWaited) } }

    /// The seconds that the attempt has waited for its turn.
    var waited: TimeInterval { state.withLock { $0.turn.waited } }
}
