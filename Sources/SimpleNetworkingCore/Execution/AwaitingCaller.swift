import SimpleNetworkingSupport

/// Resumes an awaiting caller exactly once.
///
/// If the last reference is released before there is an outcome, the caller receives `.abandoned`.
final class AwaitingCaller: Sendable {
    private let original: SimpleRequest
    private let body: Locked<(@Sendable (Outcome) -> Void)?>

    init(_ original: SimpleRequest, _ body: @escaping @Sendable (Outcome) -> Void) {
        self.original = original
        self.body = Locked(body)
    }

    /// Makes the original's `trace` and `cancel()` apply to the copy's execution, even after an earlier `cancel()`.
    ///
    /// A repeated request is itself a copy of the one that the caller has.
    func follow(_ execution: Execution) {
        var next: Locked<SimpleRequest.State>? = original.state
        while let request = next {
            let (former, isCancelled, original) = request.withLock { $0.follow(execution) }
            // Outside the lock, because this may release the user's error.
            withExtendedLifetime(former) {}
            if isCancelled { execution.cancel() }
            next = original
        }
    }

    func resume(with outcome: Outcome) {
        guard let body = body.take() else { return }
        var next: Locked<SimpleRequest.State>? = original.state
        while let request = next {
            let (former, original) = request.withLock { $0.forgetEnded() }
            withExtendedLifetime(former) {}
            next = original
        }
        body(outcome)
    }

    deinit { resume(with: .failure(.abandoned(nil, nil))) }
}

extension SimpleRequest.State {
    /// Makes `trace` and `cancel()` apply to the execution of a copy.
    ///
    /// Returns the former execution, whether the request was cancelled before, and what the request is itself a copy of.
    fileprivate mutating func follow(
        _ execution: Execution
    ) -> (former: Execution?, isCancelled: Bool, original: Locked<Self>?) {
        let (former, wasCancelled) = (traced, isCancelled || lineage?.isCancelled ?? false)
        // Several tasks may await copies of one request.
        if let other = traced, other.isActive { awaited.append(other) }
        traced = execution
        isCancelled = false
        return (former, wasCancelled, original)
    }

    /// Removes the awaited copies that have ended.
    ///
    /// Returns all copies from before the removal, and what the request is itself a copy of.
    fileprivate mutating func forgetEnded() -> (former: [Execution], original: Locked<Self>?) {
        let former = awaited
        if !awaited.isEmpty { awaited.removeAll { !$0.isActive } }
        return (former, original)
    }
}
