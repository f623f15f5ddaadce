/// The serial queue of one client, for handlers that were written outside any actor.
///
/// Waking a thread takes longer than the rest of a small request. So a thread that may wait runs its work at once, by
/// `sync`, which keeps what a serial queue promises; and whichever thread runs work goes on with what came meanwhile.
package final class OwnQueue: Sendable {
    package typealias Work = @Sendable () -> Void

    private struct State {
        var isRunning = false
        var waiting: [Work] = []
    }

    package let queue = DispatchQueue(label: "SimpleNetworking.callbacks")
    /// Takes the queue's place in a simulation.
    package let scheduler: Scheduler?
    private let state = Locked(State())

    package init(scheduler: Scheduler? = nil) { self.scheduler = scheduler }

    /// Runs work in the order of the calls; before it returns only if that is allowed.
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

    // One batch at a time: in between it is the turn of what others have put on the queue.

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

    /// Returns nothing when the queue is free from now on.
    private func takeWaiting() -> [Work] {
        state.withLock { state in
            state.isRunning = !state.waiting.isEmpty
            if !state.isRunning { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
