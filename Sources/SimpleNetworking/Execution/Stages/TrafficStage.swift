/// Sends a request when the client's traffic rules allow it; each redirect waits separately.
struct TrafficStage: Middleware {
    let rules: TrafficRules
    let plan: RequestPlan
    let execution: Execution
    /// Whether an attempt is rebuilt if the credential changed while it waited.
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

/// A request waited for its turn, and its credential was replaced in the meantime.
struct OutdatedCredential: Error {}

/// An execution's record of its waits.
struct TurnWait {
    /// The number of seconds that the attempt has waited for its turn.
    var waited: TimeInterval = 0
    /// Whether the attempt is rebuilt because its credential was replaced while it waited.
    var isRemade = false
}

extension Execution {
    /// Whether others wait for the request, because a refresh or a status handler made it.
    var isUrgent: Bool { state.withLock { !$0.refreshScope.isEmpty || $0.budget.isOfStatusHandler } }

    /// When it was executed, which decides its place in line, even after a rejected or rebuilt attempt.
    fileprivate var start: TimeInterval { state.withLock { $0.log.start } }

    /// Makes the next preparation belong to the same attempt.
    func noteRemaking() { state.withLock { $0.turn.isRemade = true } }

    /// Returns whether the attempt was already counted and is prepared again.
    func takeRemaking() -> Bool {
        state.withLock { state in
            defer { state.turn.isRemade = false }
            return state.turn.isRemade
        }
    }

    /// Adds seconds that don't count against the attempt's timeout.
    func noteWait(_ seconds: TimeInterval) { state.withLock { $0.turn.waited += seconds } }

    /// Notes that the attempt is sent, and whether it has waited for its turn.
    fileprivate func noteTurn(hasWaited: Bool) { state.withLock { $0.credential.noteTurn(hasWaited: hasWaited) } }

    /// The number of seconds that the attempt has waited for its turn.
    var waited: TimeInterval { state.withLock { $0.turn.waited } }
}
