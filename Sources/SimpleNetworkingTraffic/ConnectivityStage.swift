import SimpleNetworkingFeatureSupport

/// Sends a request again while no connection can be established, because nothing was sent.
///
/// All attempts of an execution share the time for this, until a connection is made.
struct ConnectivityStage: Middleware {
    let attempt: Attempt

    /// The maximum number of seconds that a request without a deadline waits.
    private static let longest: TimeInterval = 60
    private static let backoff = Backoff.exponential(cap: 10)

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        let before = attempt.secondsWithoutConnection
        var start: TimeInterval?
        var tries = 0
        while true {
            do {
                let response = try await next(request)
                attempt.secondsWithoutConnection = 0
                if let start { attempt.record(.note(TrafficStep.resumed(after: attempt.clock.now - start))) }
                return response
            } catch  where Connection.isImpossible(after: error) {
                tries += 1
                let first = start ?? attempt.clock.now
                start = first
                let seconds = before + attempt.clock.now - first
                attempt.secondsWithoutConnection = seconds
                let delay = Self.backoff.delay(beforeRetry: tries, random: attempt.random)
                guard mayWait(delay, after: seconds) else { throw error }
                if tries == 1 { attempt.record(.note(TrafficStep.waits(.connectivity))) }
                try await attempt.clock.sleep(delay, for: .traffic)
                attempt.noteWait(delay)
                if let suspension = attempt.suspension, suspension.isSuspended {
                    let suspended = attempt.clock.now
                    try await suspension.wait()
                    start = first + attempt.clock.now - suspended
                    attempt.noteWait(attempt.clock.now - suspended)
                }
            } catch {
                if Connection.wasMade(despite: error) { attempt.secondsWithoutConnection = 0 }
                throw error
            }
        }
    }

    private func mayWait(_ delay: TimeInterval, after seconds: TimeInterval) -> Bool {
        attempt.hasDeadline ? attempt.hasTime(for: delay) : seconds + delay <= Self.longest
    }
}
