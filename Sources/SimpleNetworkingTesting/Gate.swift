/// Holds tasks up until it is opened: the way to say "not before" in a test, without sleeping.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var nextID = 0
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        var watchers: [(count: Int, arrived: Awaited<Void>)] = []
        var arrivals = 0
    }

    private let state = Protected(State())

    /// Makes a closed gate.
    public init() {}

    /// Lets everyone pass, now and from now on.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting.sorted { $0.key < $1.key }.map(\.value)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when the gate is open.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before.
    public func wait() async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = Task.isCancelled
                let (passes, watchers) = state.withLock { state in
                    state.arrivals += 1
                    let ready = state.watchers.filter { $0.count <= state.arrivals }
                    state.watchers.removeAll { $0.count <= state.arrivals }
                    if !state.isOpen, !isCancelled { state.waiting[id] = continuation }
                    return (state.isOpen, ready)
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

    /// Returns when so many tasks in all have come to the gate, or when the task is cancelled.
    public func arrivals(_ count: Int) async {
        let arrived = Awaited<Void>()
        let isReached = state.withLock { state in
            if state.arrivals < count { state.watchers.append((count, arrived)) }
            return state.arrivals >= count
        }
        if !isReached { await arrived.value(ifCancelled: ()) }
    }
}
