/// A client's serial queue, for handlers defined outside any actor.
///
/// Waking a thread takes longer than the rest of a small request. A thread that may wait therefore runs its work at
/// once with `sync`, which preserves the guarantees of a serial queue. A thread that runs work then also runs the work
/// that has arrived in the meantime.
package final class OwnQueue: Sendable {
    package typealias Work = @Sendable () -> Void

    private struct State {
        var isRunning = false
        var waiting: [Work] = []
    }

    package let queue = DispatchQueue(label: "SimpleNetworking.callbacks")
    /// Replaces the queue in a simulation.
    package let scheduler: Scheduler?
    private let state = Locked(State())

    package init(scheduler: Scheduler? = nil) { self.scheduler = scheduler }

    /// Runs work in the order of the calls, and before the call returns only if that is allowed.
    package func run(mayRunHere: Bool, _ work: @escaping Work) {
        let isFirst = state.withLock { state in
            guard state.isRunning else {
                state.isRunning = true
                return true
            }
            state.waiting.append(work)
            return false
        }
        guard isFirst else { return }
        if mayRunHere { runHere(work) } else { runLater([work]) }
    }

    // Runs one batch at a time; in between, the queue can run work from others.

    private func runHere(_ first: Work) {
        queue.sync(execute: first)
        while case let batch = takeWaiting(), !batch.isEmpty { queue.sync { for work in batch { work() } } }
    }

    private func runLater(_ batch: [Work]) {
        let work: Work = {
            for work in batch { work() }
            let next = self.takeWaiting()
            if !next.isEmpty { self.runLater(next) }
        }
        if let scheduler { scheduler.run(work) } else { queue.async(execute: work) }
    }

    /// Returns the waiting work; if there is none, the queue is free from now on.
    private func takeWaiting() -> [Work] {
        state.withLock { state in
            state.isRunning = !state.waiting.isEmpty
            if !state.isRunning { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
