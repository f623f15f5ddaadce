import SimpleNetworkingSupport

/// What features know that send a request in parts, each of which is like an attempt of its own.
extension Attempt {
    /// The round of the execution, which a handler may begin.
    package var round: Int { execution.state.withLock { $0.machine.round } }

    /// Decides which redirects are followed.
    package var redirectPolicy: RedirectPolicy { plan.redirectPolicy }

    /// Returns whether a URL may receive credentials.
    package func isTrusted(_ url: URL) -> Bool { plan.isTrusted(url) }

    /// Removes the fields that the request's origin must not see.
    package func withhold(from request: inout TransportRequest) { _ = plan.withhold(from: &request) }

    /// Notes that something has no effect.
    package func ignore(_ reason: String) { execution.ignore(reason) }

    /// Checks that the request still belongs to the current user, so that the next user's data isn't sent.
    package func checkUser() throws {
        let (_, mark) = plan.client.current
        guard execution.belongs(to: mark.account), belongsToCurrentUsers else { throw execution.foreignAccount }
    }

    /// Returns whether another try may succeed after an error, and after the head of the response if that was received.
    package func mayPass(_ error: any Error, of head: RequestHead) -> Bool {
        RetryPolicy.isTransient(SimpleNetworkingError(error, head: head))
            && !(execution.failedHead.map { 300..<500 ~= $0.httpStatus } ?? false)
    }

    /// Returns the number of seconds until a part is sent again after some tries, or nil if it isn't.
    package func delay(beforeRetry count: Int, after outcome: Result<TransportResponse, any Error>) -> TimeInterval? {
        let headers = execution.head(of: outcome)?.headers
        guard let delay = plan.retryPolicy.delay(beforeRetry: count, after: headers, random: plan.random),
            execution.hasTime(for: delay), plan.takeRetry(for: execution)
        else { return nil }
        return delay
    }

    /// Waits between two parts, and as long as the request is suspended.
    package func pause(_ seconds: TimeInterval) async throws {
        if seconds > 0 { try await plan.clock.sleep(seconds, for: .retry) }
        execution.noteWait(seconds)
        try await execution.waitWhileSuspended()
    }
}
