/// Lets one task wait for the first of several results, or its own cancellation.
package final class FirstResult<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Value, any Error>)
        case finished(Result<Value, any Error>)
        case taken
    }

    private let state = Locked(State.open)

    package init() {}

    package var isFinished: Bool {
        state.withLock { state in
            switch state {
            case .open, .waiting: false
            case .finished, .taken: true
            }
        }
    }

    /// Sets the result; later calls do nothing.
    package func finish(_ result: Result<Value, any Error>) {
        let waiting: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .open: state = .finished(result)
            case .waiting(let continuation):
                state = .taken
                return continuation
            case .finished, .taken: break
            }
            return nil
        }
        waiting?.resume(with: result)
    }

    /// Waits for the first result; call it only once.
    package func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let early: Result<Value, any Error>? = state.withLock { state in
                    if case .finished(let result) = state {
                        state = .taken
                        return result
                    }
                    state = .waiting(continuation)
                    return nil
                }
                if let early { continuation.resume(with: early) }
            }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }
}
