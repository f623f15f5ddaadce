/// A value that one task waits for, until it comes or the task is cancelled.
final class Awaited<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Value, Never>)
        case ended(Value)
    }

    private let state = Protected(State.open)

    /// Only the first call counts.
    func end(with value: Value) {
        let waiting: CheckedContinuation<Value, Never>? = state.withLock { state in
            defer { if case .ended = state {} else { state = .ended(value) } }
            return if case .waiting(let continuation) = state { continuation } else { nil }
        }
        waiting?.resume(returning: value)
    }

    /// Waits; to be called once.
    func value(ifCancelled fallback: Value) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early: Value? = state.withLock { state in
                    if case .ended(let value) = state { return value }
                    state = .waiting(continuation)
                    return nil
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            end(with: fallback)
        }
    }
}
