/// Sends a request when the client's traffic rules let it; each redirect waits anew.
struct TrafficStage: Middleware {
    let rules: TrafficRules
    let plan: RequestPlan
    let execution: Execution
    /// Is told when the request is sent, if others may join it.
    let start: SharedTransfer.Start?

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard let origin = Origin(request.url) else { return try await next(request) }
        let gate = plan.client.gate
        let lane = TrafficQueue.Lane(origin: origin, account: execution.account?.number)
        let priority = plan.specification.priority
        let place = try await gate.enter(lane, priority, request.head, rules) { execution.record($0) }
        if place.waited > 0 { execution.noteWait(place.waited) }
        start?.note(plan.clock.now)
        do {
            let response = try await next(request)
            gate.leave(place, after: rules.heedsServer ? ServerWord(response) : nil, hasResponse: true)
            return response
        } catch {
            gate.leave(place, after: nil, hasResponse: false)
            throw error
        }
    }
}

extension Execution {
    /// Whether others wait for it: it is a refresh's own, or a status handler's.
    var isUrgent: Bool { state.withLock { !$0.refreshScope.isEmpty || $0.budget.isOfStatusHandler } }

    /// Counts seconds that don't belong to the attempt's timeout.
    func noteWait(_ seconds: TimeInterval) { state.withLock { $0.waited += seconds } }

    /// The seconds that the attempt has waited for its turn.
    var waited: TimeInterval { state.withLock { $0.waited } }
}
