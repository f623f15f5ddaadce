/// Resumes an awaiting caller exactly once: releasing the last reference without an outcome counts as `.abandoned`.
final class AwaitingCaller: Sendable {
    private let original: SimpleRequest
    private let body: Locked<(@Sendable (Outcome) -> Void)?>

    init(_ original: SimpleRequest, _ body: @escaping @Sendable (Outcome) -> Void) {
        self.original = original
        self.body = Locked(body)
    }

    /// Lets the original's `trace` and `cancel()` reach the execution of the copy, also a `cancel()` that came before.
    func follow(_ execution: Execution) {
        let (former, isCancelled) = original.follow(execution)
        // Outside the lock: this may release a user's error.
        withExtendedLifetime(former) {}
        if isCancelled { execution.cancel() }
    }

    func resume(with outcome: Outcome) {
        guard let body = body.take() else { return }
        let former = original.forgetEnded()
        withExtendedLifetime(former) {}
        body(outcome)
    }

    deinit { resume(with: .failure(.abandoned(nil, nil))) }
}

extension SimpleRequest {
    /// Lets `trace` and `cancel()` reach the execution of a copy; returns the former one, and whether the request was
    /// cancelled before.
    fileprivate func follow(_ execution: Execution) -> (former: Execution?, isCancelled: Bool) {
        state.withLock { state in
            // Several tasks may await copies of one request.
            if let other = state.traced, other.isActive { state.awaited.append(other) }
            defer {
                state.traced = execution
                state.isCancelled = false
            }
            return (state.traced, state.isCancelled)
        }
    }

    /// Forgets the awaited copies that have ended; returns all that there were.
    fileprivate func forgetEnded() -> [Execution] {
        state.withLock { state in
            defer { if !state.awaited.isEmpty { state.awaited.removeAll { !$0.isActive } } }
            return state.awaited
        }
    }
}
