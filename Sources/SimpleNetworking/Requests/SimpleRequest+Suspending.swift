/// Pauses a request's transfers, and lets them continue.
extension SimpleRequest {
    /// Whether the request is suspended.
    public var isSuspended: Bool {
        let (execution, suspender) = state.withLock { ($0.traced, $0.suspender) }
        return execution?.isSuspended ?? (suspender != nil)
    }

    /// Pauses the request's transfers until `resume()` is called.
    ///
    /// ```swift
    /// let download = api.get("/films/7") { $0.download(to: file) }
    /// download.suspend()
    /// download.resume()
    /// ```
    ///
    /// While a request is suspended, no attempt of the request begins. A transfer in progress pauses if its content is in
    /// files or streams: the connection stays open, the server waits, and the idle timeout doesn't apply. Transfers in
    /// memory, and a transfer that several requests share, continue. An explicit `timeout(_:)`, the deadline and the
    /// delay before a retry continue to elapse. Handlers run as usual, and `cancel()` ends the request.
    ///
    /// A server may close a connection on which no content arrives. If a download then fails, its next attempt
    /// continues after the bytes that have arrived. To pause for a long time, call `cancel()` instead, and later execute
    /// the request again.
    ///
    /// - A request that is suspended before it is executed sends nothing until it is resumed.
    /// - If the object on which you called this method is released, the request resumes, because otherwise it might
    ///   never end.
    /// - URLSession on Linux can't pause a transfer: uploads continue, and the content of a download that arrives is
    ///   stored in memory until the request is resumed.
    public func suspend() {
        let executions = state.withLock { state in
            if state.traced == nil { state.suspender = ObjectIdentifier(self) }
            return state.executions
        }
        for execution in executions { execution.suspend(by: self) }
    }

    /// Lets a suspended request continue.
    public func resume() {
        let executions = state.withLock { state in
            state.suspender = nil
            return state.executions
        }
        for execution in executions { execution.resume() }
    }
}

extension SimpleRequest.State {
    /// The executions of the request's awaited copies.
    var executionsOfCopies: [Execution] {
        guard let traced, traced !== execution else { return awaited }
        return awaited + [traced]
    }

    fileprivate var executions: [Execution] { executionsOfCopies + (execution.map { [$0] } ?? []) }
}
