extension SimpleRequest {
    /// Sends the request again, through `execute(request:)` of the client that executed it last.
    ///
    /// In the hands of a handler that took the request over it is the next attempt of the same execution, and counts once: a second call does
    /// nothing but log a warning. After the end it starts a new execution with the next attempt number. Beyond the
    /// client's `maxRetries` the error handlers get the last response's error; after the end, nothing happens then. A
    /// cancelled request is not retried. May be called from any thread, at any time.
    public func retry() { retry(after: 0) }

    /// Sends the request again after so many seconds; see `retry()`.
    public func retry(after seconds: TimeInterval) { submit(.retry, on: nil, after: seconds) }

    /// Ends the execution with an error, unless it has ended.
    ///
    /// For whoever took the request over.
    public func fail(_ error: any Error) {
        let (head, response) = core.state.withLock { ($0.head, $0.response) }
        endInHand(.failure(SimpleNetworkingError(error, head: head, response: response)))
    }

    /// Ends the execution with success, unless it has ended.
    ///
    /// For whoever took the request over.
    public func succeed(with response: SimpleResponse) {
        endInHand(.success(response))
    }

    /// Ends the execution without a word to success and error handlers, unless it has ended: all is done that there was
    /// to do, such as signing out.
    ///
    /// Completion handlers and whoever awaits hear of it as `.abandoned`. For whoever took the request over.
    public func abandon() {
        let (head, response) = core.state.withLock { ($0.head, $0.response) }
        endInHand(.failure(.abandoned(head, response)), isSilent: true)
    }

    /// Ends the execution with `.cancelled`, unless it has ended, and stops what runs of it: the transfer, a delay, the
    /// wait for a retry.
    ///
    /// A request that was never executed sends nothing when it is.
    public func cancel() { core.cancel() }

    /// Who has given the request out of hand by a retry cannot end what has come of that.
    private func endInHand(_ outcome: Completion.Outcome, isSilent: Bool = false) {
        let (isDecided, isStale) = core.state.withLock { state in
            let isStale = ticket.map { state.execution.isActive && $0.epoch != state.execution.epoch }
            return (state.execution.phase == .deciding, isStale ?? false)
        }
        if isDecided { return core.ignore("the request is about to end") }
        if isStale { return core.ignore("the request was retried before, and is in other hands") }
        if case .success(let response) = outcome, core.state.withLock({ $0.decide(on: response) }) {
            return core.wake(holding: self)
        }
        core.end(outcome, isSilent: isSilent)
    }
}
