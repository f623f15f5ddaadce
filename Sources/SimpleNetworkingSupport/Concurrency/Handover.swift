/// Passes values from one task to another, one at a time: the giver waits until its value is taken.
package final class Handover<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var giver: CheckedContinuation<Void, any Error>?
        var taker: CheckedContinuation<Value?, any Error>?
        /// The reason why no more values follow; nil for the normal end.
        var end: Result<Void, any Error>?
    }

    private let state = Locked(State())

    package init() {}

    /// Gives a value, and returns when it has been taken.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, or no more values are taken.
    package func give(_ value: Value) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (taker, isOver) = state.withLock { state in
                    if Task.isCancelled || state.end != nil {
                        return (nil as CheckedContinuation<Value?, any Error>?, true)
                    }
                    defer { state.taker = nil }
                    if state.taker == nil {
                        state.value = value
                        state.giver = continuation
                    }
                    return (state.taker, false)
                }
                if isOver { return continuation.resume(throwing: CancellationError()) }
                guard let taker else { return }
                taker.resume(returning: value)
                continuation.resume()
            }
        } onCancel: {
            // Not the end, because the code that cancelled reports the reason.
            let untaken = state.withLock { state in
                defer {
                    state.value = nil
                    state.giver = nil
                }
                return (value: state.value, giver: state.giver)
            }
            untaken.giver?.resume(throwing: CancellationError())
        }
    }

    /// Takes the next value; nil if no more values follow.
    ///
    /// Only one task may take at a time.
    package func take() async throws -> Value? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (value, giver, end) = state.withLock { state in
                    defer {
                        state.value = nil
                        state.giver = nil
                    }
                    if state.value == nil, state.end == nil { state.taker = continuation }
                    return (state.value, state.giver, state.end)
                }
                if let value {
                    giver?.resume()
                    continuation.resume(returning: value)
                } else if let end {
                    continuation.resume(with: end.map { nil })
                }
            }
        } onCancel: {
            finish(throwing: CancellationError())
        }
    }

    /// Ends the handover once: a value already given can still be taken, unless there is an error.
    package func finish(throwing error: (any Error)? = nil) {
        // Along with the value, which is released after the lock.
        let waiting = state.withLock { state in
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
            let waiting = state
            state.taker = nil
            if error != nil {
                state.value = nil
                state.giver = nil
            }
            return waiting
        }
        if let error {
            waiting.taker?.resume(throwing: error)
            waiting.giver?.resume(throwing: CancellationError())
        } else {
            waiting.taker?.resume(returning: nil)
        }
    }
}
