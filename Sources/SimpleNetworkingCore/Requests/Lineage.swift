import SimpleNetworkingSupport

/// A request as the user asked for it once: its executions, and the further requests of a sequence.
///
/// A newer request with the same key replaces it, even if an attempt of the older one begins later.
package final class Lineage: Sendable {
    private struct State {
        /// The execution in progress, or the last one.
        weak var execution: Execution?
        /// The orders in which it has a place, each with its key.
        var orders: [(replacements: Replacements, key: String)] = []
        /// The request that has replaced it.
        var replacer: RequestHead?
        /// Whether the request was cancelled, so that no execution follows.
        var isCancelled = false
        /// The wait between two executions.
        var pause: FirstResult<Void>?
    }

    /// The position among all requests, in the order in which the user asked for them.
    let place: Int
    private let state = Locked(State())

    package init(place: Int = Lineage.nextPlace()) { self.place = place }

    deinit {
        for order in state.withLock({ $0.orders }) { order.replacements.remove(self, from: order.key) }
    }

    private static let lastPlace = Locked(0)

    /// Returns the place of a request for which the user asks now.
    package static func nextPlace() -> Int { lastPlace.next() }

    /// The request that has replaced it; nil if it goes on.
    var replacer: RequestHead? { state.withLock { $0.replacer } }

    /// Notes its execution, and takes its place among the client's requests with the key.
    func join(_ replacements: Replacements, _ key: String, with execution: Execution) {
        let isNew = state.withLock { state in
            state.execution = execution
            if state.orders.contains(where: { $0.replacements === replacements && $0.key == key }) { return false }
            state.orders.append((replacements, key))
            return true
        }
        if isNew { replacements.add(self, to: key) }
    }

    /// Ends a wait between two executions, and returns the execution to end.
    func replace(by head: RequestHead) -> Execution? {
        let (pause, execution) = state.withLock { state in
            state.replacer = head
            return (state.pause, state.execution)
        }
        pause?.finish(.failure(CancellationError()))
        return execution
    }

    /// Whether no execution follows, because the request was cancelled.
    var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// Ends a wait between two executions, and lets none follow.
    func cancel() {
        let pause = state.withLock { state in
            state.isCancelled = true
            return state.pause
        }
        pause?.finish(.failure(CancellationError()))
    }

    /// Waits between two executions.
    ///
    /// - Throws: `CancellationError` as soon as a newer request replaces it, or it or the task is cancelled.
    package func sleep(_ seconds: TimeInterval, on clock: any RequestClock) async throws {
        let pause = FirstResult<Void>()
        let isOver = state.withLock { state in
            state.pause = pause
            return state.replacer != nil || state.isCancelled
        }
        if isOver { throw CancellationError() }
        let cancelAlarm = clock.schedule(after: seconds, for: .retry) { pause.finish(.success(())) }
        defer {
            cancelAlarm()
            state.withLock { $0.pause = nil }
        }
        try await pause.value()
    }
}

/// Knows a repeated request without keeping it.
struct WeakLineage: Sendable {
    private(set) weak var lineage: Lineage?
}

extension SimpleRequest {
    /// Lets `cancel()` end what sends copies of the request again and again.
    package func add(_ lineage: Lineage) {
        state.withLock { state in
            state.repetitions.removeAll { $0.lineage == nil }
            state.repetitions.append(WeakLineage(lineage: lineage))
        }
    }
}
