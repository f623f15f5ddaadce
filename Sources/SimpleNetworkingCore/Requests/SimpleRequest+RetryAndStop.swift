import SimpleNetworkingSupport

extension SimpleRequest {
    /// Executes the request on a client, through the client's `execute(request:)`.
    ///
    /// If the request is already being executed, this call only logs a warning. If the request has ended, the client
    /// executes it again and numbers its attempts from 1. If a status handler executes the request that it received,
    /// the call is a retry.
    @discardableResult public func execute(on client: SimpleNetworking) -> Self {
        submit(isFresh: true, on: client)
        return self
    }

    /// Sends the request again by calling `execute(request:)` on the client that last executed it.
    ///
    /// In a handler that took over the request, this call starts the next attempt of the same execution. Only the first
    /// call has an effect; a second call only logs a warning. After the execution has ended, the call starts a new
    /// execution with the next attempt number. A call that exceeds the client's `maxRetries` ends the execution, and
    /// error handlers receive the last response's error. If the execution has already ended, a call that exceeds
    /// `maxRetries` does nothing. A cancelled request isn't retried. You can call this method from any thread, at any
    /// time.
    ///
    /// If a status handler calls `retry()`, the handler's return value doesn't matter. On the request that a status
    /// handler received, `retry()` does nothing if the handler's attempt was already retried, if another execution has
    /// begun, or if the deadline passed while the handler ran.
    public func retry() { retry(after: 0) }

    /// Sends the request again after the given delay, in seconds.
    ///
    /// If the delay would end after the request's deadline, the execution ends immediately with the last response's
    /// error. For details, see `retry()`.
    public func retry(after seconds: TimeInterval) { submit(isFresh: false, on: nil, after: seconds) }

    /// Sends the request again on another client.
    ///
    /// For details, see `retry()`.
    public func retry(on client: SimpleNetworking) { submit(isFresh: false, on: client) }

    /// Ends the execution with the given error, unless it has already ended.
    public func fail(_ error: any Error) { endExecution { $0.fail(error, by: self) } }

    /// Ends the execution with success, unless it has already ended.
    ///
    /// If the request downloads to a file, the client first writes the response's content to the file. The reader of a
    /// stream receives the content in one chunk. If that fails, the execution ends with the error; it is
    /// `.invalidRequest` if the reader has already received another response's content.
    public func succeed(with response: SimpleResponse) { endExecution { $0.succeed(with: response, by: self) } }

    /// Ends the execution without calling success and error handlers, unless it has already ended.
    ///
    /// Call this method when the request doesn't need further handling, for example, after signing out. Completion
    /// handlers and awaiting callers receive `.stopped`. A status handler that returns false without keeping the
    /// request has the same effect.
    public func stop() { endExecution { $0.stop(by: self) } }

    /// Ends the execution with `.cancelled`, unless it has already ended.
    ///
    /// The call stops any transfer, delay or pending retry.
    ///
    /// A request that is cancelled before its first execution sends nothing when it is executed.
    public func cancel() {
        let place = Lineage.nextPlace()
        var (own, traced, awaited, repetitions) = state.withLock { state in
            if state.traced == nil { state.isCancelled = true }
            return (state.execution, state.traced, state.awaited, state.repetitions.compactMap(\.lineage))
        }
        for repetition in repetitions { repetition.cancel() }
        own?.cancel(by: self)
        if traced !== own { traced?.cancel() }
        for execution in awaited { execution.cancel() }
        // One that was queued may have begun meanwhile, but what the user has asked for since then goes on.
        while let newer = execution, newer !== own, newer.place < place {
            newer.cancel(by: self)
            own = newer
        }
    }

    private func endExecution(_ end: (Execution) -> Void) {
        if let execution { end(execution) }
    }
}
