import SimpleNetworkingSupport

/// Pauses a request's transfers, and lets them continue.
extension SimpleRequest {
    /// Whether the request is suspended.
    public var isSuspended: Bool { owner.withLock { $0.suspension }?.isSuspended ?? false }

    /// Pauses the request's transfers until `resume()` is called.
    ///
    /// ```swift
    /// let download = api.get("/films/7") { $0.download(to: file) }
    /// download.suspend()
    /// download.resume()
    /// ```
    ///
    /// While a request is suspended, none of its attempts begins, and other waiting requests can be sent before it. A
    /// transfer in progress pauses if its content is in files or streams: the connection stays open, the server waits,
    /// and the idle timeout doesn't apply. Transfers in memory and transfers that several requests share continue. An
    /// explicit `timeout(_:)`, the deadline and the delay before a retry continue to elapse. Handlers run as usual, and
    /// `cancel()` ends the execution.
    ///
    /// A server may close a connection on which no content arrives. If a download then fails, its next attempt
    /// continues after the bytes that have arrived. To pause for a long time, call `cancel()` instead, and later execute
    /// the request again.
    ///
    /// - You can suspend a request before it is executed. It stays suspended, even in later executions, until you
    ///   resume it. Its awaited copies are suspended, too; copies that you make with `copy()` aren't.
    /// - If the object on which you called this method is released, the request resumes, because otherwise it might
    ///   never end.
    /// - URLSession on Linux can't pause a transfer: uploads continue, the idle timeout applies, and downloaded content
    ///   is stored in memory until the request is resumed.
    public func suspend() {
        state.withLock { $0.wasSuspended = true }
        let (suspension, executions) = owner.withLock { requestState in
            let suspension = requestState.suspension ?? Suspension()
            requestState.suspension = suspension
            return (suspension, requestState.executions)
        }
        guard suspension.suspend(by: ObjectIdentifier(self)) else { return }
        for execution in executions { execution.noteSuspension(.suspended) }
    }

    /// Lets a suspended request continue.
    public func resume() { resume(by: nil) }

    /// Resumes the request if this object suspended it, because no other code may know that.
    func resumeOnRelease() { resume(by: ObjectIdentifier(self)) }

    private func resume(by suspender: ObjectIdentifier?) {
        let owner = owner
        guard let suspension = owner.withLock({ $0.suspension }), suspension.resume(by: suspender) else { return }
        for execution in owner.withLock({ $0.executions }) { execution.noteSuspension(.resumed) }
    }

    /// The state of the request, or of the request of which this is an awaited copy.
    private var owner: Locked<State> { state.withLock { $0.original } ?? state }
}

extension SimpleRequest.State {
    /// The executions of the request and its awaited copies.
    fileprivate var executions: [Execution] {
        var executions = awaited
        for last in [execution, traced] {
            if let last, !executions.contains(where: { $0 === last }) { executions.append(last) }
        }
        return executions
    }
}
