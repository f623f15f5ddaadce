/// Sends a request when the client's traffic rules let it; each redirect waits anew.
struct TrafficStage: Middleware {
    let rules: TrafficRules
    let plan: RequestPlan
    let execution: Execution
    /// Whether an attempt is made anew if the credential has changed while it waited.
    let mayRemake: Bool

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard let origin = Origin(request.url) else { return try await next(request) }
        let lane = TrafficQueue.Lane(origin: origin, account: execution.account?.number)
        let place = try await place(in: lane, for: request)
        request.onTurn?()
        var request = request
        if case .receiver = plan.destination, case .stream(let receive) = request.sink {
            // The reader of a stream may send requests itself, or never reach the end.
            request.sink = .stream { part in
                if case .head(let status, let headers) = part { place.giveBack(after: end(status, headers)) }
                try await receive(part)
            }
        }
        do {
            let response = try await next(request)
            place.giveBack(after: end(response.httpStatus, response.headers))
            return response
        } catch {
            place.giveBack(after: .failure)
            throw error
        }
    }

    /// Waits for a place.
    ///
    /// - Throws: `OutdatedCredential`, if the request is to be made anew; its place is kept for it.
    private func place(in lane: TrafficQueue.Lane, for request: TransportRequest) async throws -> TrafficGate.Place {
        if let kept = execution.takeKeptPlace(in: lane) { return kept }
        let (settings, mark) = plan.client.current
        let place = try await plan.client.gate.enter(lane, request.head, turn) { execution.record($0) }
        if place.waited > 0 { execution.noteWait(place.waited) }
        execution.noteTurn(hasWaited: place.hasWaited)
        guard mayRemake, place.hasWaited, !request.isRedirected else { return place }
        let (newSettings, newMark) = plan.client.current
        guard newSettings !== settings || newMark.generation != mark.generation else { return place }
        // Of those that share a transfer, the one that began it may be gone.
        if request.onTurn == nil { execution.keep(place) } else { place.giveBack(after: .unsent) }
        throw OutdatedCredential()
    }

    private func end(_ status: Int, _ headers: HTTPHeaders) -> TrafficQueue.End {
        .response(rules.heedsServer ? ServerWord(status: status, headers) : nil)
    }

    private var turn: TrafficGate.Turn {
        .init(priority: plan.specification.priority, since: execution.turnStart)
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
    /// The place that the attempt keeps until then.
    var place: TrafficGate.Place?
    /// When the page was requested; nil for the first one.
    var pageStart: TimeInterval?
}

extension Execution {
    /// Whether others wait for it: it is a refresh's own, or a status handler's.
    var isUrgent: Bool { state.withLock { !$0.refreshScope.isEmpty || $0.budget.isOfStatusHandler } }

    /// When it was executed, or its page requested: that decides its place in line, also after an attempt that was
    /// refused or made anew.
    fileprivate var turnStart: TimeInterval { state.withLock { $0.turn.pageStart ?? $0.log.start } }

    /// Notes that a further page is requested: it goes to the end of the line.
    func notePage() {
        let now = clock.now
        state.withLock { $0.turn.pageStart = now }
    }

    fileprivate func keep(_ place: TrafficGate.Place) { state.withLock { $0.turn.place = place } }

    /// Takes the place that was kept for the attempt, if it is in this lane.
    fileprivate func takeKeptPlace(in lane: TrafficQueue.Lane) -> TrafficGate.Place? {
        state.withLock { state in
            guard state.turn.place?.lane == lane else { return nil }
            return state.turn.place.take()
        }
    }

    /// Gives back a place that was kept, and not needed.
    func giveBackKeptPlace() { state.withLock { $0.turn.place.take() }?.giveBack(after: .unsent) }

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
