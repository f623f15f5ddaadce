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
    func follow(_ execution: Execution) {
        let (former, isCancelled) = original.follow(execution)
        // Outside the lock, because this may release the user's error.
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
    /// Makes `trace` and `cancel()` apply to the execution of a copy.
    ///
    /// Returns the former execution, and whether the request was cancelled before.
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

    /// Removes the awaited copies that have ended, and returns all copies from before the removal.
    fileprivate func forgetEnded() -> [Execution] {
        state.withLock { state in
            defer { if !state.awaited.isEmpty { state.awaited.removeAll { !$0.isActive } } }
            return state.awaited
        }
    }
}
