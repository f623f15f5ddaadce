import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Holds tasks until it is opened, so that tests can order events without sleeping.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var nextID = 0
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        var watchers: [(count: Int, arrived: Awaited<Void>)] = []
        var arrivals = 0
    }

    private let state = Locked(State())

    /// Creates a closed gate.
    public init() {}

    /// Opens the gate, so that all current and later tasks pass.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting.sorted { $0.key < $1.key }.map(\.value)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func wait() async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (passes, isCancelled, watchers) = state.withLock { state in
                    state.arrivals += 1
                    let ready = state.watchers.filter { $0.count <= state.arrivals }
                    state.watchers.removeAll { $0.count <= state.arrivals }
                    // Under the lock, so that a later cancellation finds the continuation.
                    let isCancelled = Task.isCancelled
                    if !state.isOpen, !isCancelled { state.waiting[id] = continuation }
                    return (state.isOpen, isCancelled, ready)
                }
                for watcher in watchers { watcher.arrived.end(with: ()) }
                if passes {
                    continuation.resume()
                } else if isCancelled {
                    continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            let waiting = state.withLock { $0.waiting.removeValue(forKey: id) }
            waiting?.resume(throwing: CancellationError())
        }
    }

    /// Waits until this many tasks in total have reached the gate, or until the current task is cancelled.
    public func arrivals(_ count: Int) async {
        let arrived = Awaited<Void>()
        let isReached = state.withLock { state in
            if state.arrivals < count { state.watchers.append((count, arrived)) }
            return state.arrivals >= count
        }
        if !isReached { await arrived.value(ifCancelled: ()) }
    }
}

/// A value that one task waits for.
final class Awaited<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Value, Never>)
        case ended(Value)
    }

    private let state = Locked(State.open)

    /// Ends the wait; later calls do nothing.
    func end(with value: Value) {
        let waiting: CheckedContinuation<Value, Never>? = state.withLock { state in
            defer { if case .ended = state {} else { state = .ended(value) } }
            return if case .waiting(let continuation) = state { continuation } else { nil }
        }
        waiting?.resume(returning: value)
    }

    /// Waits for the value or the task's cancellation; call it only once.
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
