/// Sends a request again while no connection can be established, because nothing was sent.
///
/// All attempts of an execution share the time for this, until a connection is made.
struct ConnectivityStage: Middleware {
    let plan: RequestPlan
    let execution: Execution

    /// The maximum number of seconds that a request without a deadline waits.
    private static let longest: TimeInterval = 60
    private static let backoff = Backoff.exponential(cap: 10)

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        let before = execution.secondsWithoutConnection
        var start: TimeInterval?
        var tries = 0
        while true {
            do {
                let response = try await next(request)
                execution.secondsWithoutConnection = 0
                if let start { execution.record(.goesOn(after: plan.clock.now - start)) }
                return response
            } catch  where Self.isUnreachable(error) {
                tries += 1
                let first = start ?? plan.clock.now
                start = first
                let seconds = before + plan.clock.now - first
                execution.secondsWithoutConnection = seconds
                let delay = Self.backoff.delay(
                    beforeRetry: tries,
                    random: plan.random
                )
                guard mayWait(delay, after: seconds) else { throw error }
                if tries == 1 { execution.record(.waits(.connectivity)) }
                try await plan.clock.sleep(delay, for: .traffic)
                execution.noteWait(delay)
                if execution.isSuspended {
                    let suspended = plan.clock.now
                    try await execution.waitWhileSuspended()
                    start = first + plan.clock.now - suspended
                    execution.noteWait(plan.clock.now - suspended)
                }
            } catch {
                if Self.wasConnected(error) { execution.secondsWithoutConnection = 0 }
                throw error
            }
        }
    }

    private func mayWait(_ delay: TimeInterval, after seconds: TimeInterval) -> Bool {
        plan.deadline == nil ? seconds + delay <= Self.longest : execution.hasTime(for: delay)
    }

    /// Returns whether no connection was made: no network, no route, no address, or no server.
    static func isUnreachable(_ error: any Error) -> Bool {
        NetworkFailure(in: error).map { [.offline, .cannotConnect, .cannotFindHost].contains($0.kind) } ?? false
    }

    /// Returns whether a failure other than an unreachable server shows that a connection was made.
    private static func wasConnected(_ error: any Error) -> Bool {
        switch error {
        case is ContentDelivery.Refused, SimpleNetworkingError.timedOut(.attempt, _),
            SimpleNetworkingError.timedOut(.idle, _):
            true
        default: NetworkFailure(in: error) != nil
        }
    }
}

extension Execution {
    /// The number of seconds for which the client has tried to connect since a connection was last made.
    fileprivate var secondsWithoutConnection: TimeInterval {
        get { state.withLock { $0.alarms.secondsWithoutConnection } }
        set { state.withLock { $0.alarms.secondsWithoutConnection = newValue } }
    }
}
