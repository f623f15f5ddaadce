/// Sends a request again while no connection can be established, because nothing was sent.
struct ConnectivityStage: Middleware {
    let plan: RequestPlan
    let execution: Execution

    /// The maximum number of seconds that a request without a deadline waits.
    private static let longest: TimeInterval = 60
    private static let backoff = Backoff.exponential(cap: 10)

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        var start: TimeInterval?
        var tries = 0
        while true {
            do {
                let response = try await next(request)
                if let start { execution.record(.goesOn(after: plan.clock.now - start)) }
                return response
            } catch  where Self.isUnreachable(error) {
                tries += 1
                let first = start ?? plan.clock.now
                start = first
                let delay = Self.backoff.delay(
                    beforeRetry: tries,
                    random: plan.random
                )
                guard mayWait(delay, since: first) else { throw error }
                if tries == 1 { execution.record(.waits(.connectivity)) }
                try await plan.clock.sleep(delay, for: .traffic)
                execution.noteWait(delay)
                if execution.isSuspended {
                    let suspended = plan.clock.now
                    try await execution.waitWhileSuspended()
                    start = first + plan.clock.now - suspended
                    execution.noteWait(plan.clock.now - suspended)
                }
            }
        }
    }

    private func mayWait(_ delay: TimeInterval, since start: TimeInterval) -> Bool {
        if plan.deadline != nil { return execution.hasTime(for: delay) }
        return plan.clock.now + delay - start <= Self.longest
    }

    /// Returns whether no connection was made: no network, no route, no address, or no server.
    private static func isUnreachable(_ error: any Error) -> Bool {
        NetworkFailure(in: error).map { [.offline, .cannotConnect, .cannotFindHost].contains($0.kind) } ?? false
    }
}
