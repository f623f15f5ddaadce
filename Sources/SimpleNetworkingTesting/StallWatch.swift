import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Ends the requests that callers await while nobody advances a virtual clock, so that a test fails instead of hanging.
final class StallWatch: Sendable {
    private struct State {
        var awaited: [AwaitedExecution] = []
        var isWatching = false
        /// The number of changes to the clock.
        var steps = 0
        /// The number of responses that never come, and only a limit ends.
        var silences = 0
    }

    private let state = Locked(State())

    /// The real time without progress after which awaited requests end, in tenths of a second.
    private static let patience = 30

    /// Notes that the test, or a client, has used the clock.
    func noteProgress() { state.withLock { $0.steps += 1 } }

    var isSilent: Bool { state.withLock { $0.silences > 0 } }

    /// Notes that a response never comes, until the returned closure is called.
    func beginSilence() -> @Sendable () -> Void {
        state.withLock { $0.silences += 1 }
        return { [state] in state.withLock { $0.silences -= 1 } }
    }

    /// Watches an execution until it ends.
    func add(_ execution: AwaitedExecution, on clock: VirtualClock) {
        let isFirst = state.withLock { state in
            state.awaited.append(execution)
            defer { state.isWatching = true }
            return !state.isWatching
        }
        if isFirst { watch(clock) }
    }

    private func watch(_ clock: VirtualClock) {
        Task { [weak clock] in
            var (last, quiet) = (-1, 0)
            while quiet < Self.patience {
                try? await Task.sleep(nanoseconds: 100_000_000)
                // On a busy machine, what could go on goes on first.
                for _ in 0..<10 { await Task.yield() }
                guard let clock, let progress = progress() else { return }
                quiet = clock.isAwaited && progress == last ? quiet + 1 : 0
                last = progress
            }
            if let clock { end(with: clock.texts) }
        }
    }

    /// Returns a number that changes with each event; nil, which ends the watch, if no caller waits any more.
    private func progress() -> Int? {
        state.withLock { state in
            let traces = state.awaited.map { ($0, $0.trace) }.filter { $0.1 != nil }
            state.awaited = traces.map(\.0)
            state.isWatching = !traces.isEmpty
            return traces.isEmpty ? nil : state.steps + traces.reduce(0) { $0 + ($1.1?.events.count ?? 0) }
        }
    }

    private func end(with alarms: [String]) {
        let awaited = state.withLock { state in
            state.isWatching = false
            defer { state.awaited = [] }
            return state.awaited
        }
        for execution in awaited {
            guard let trace = execution.trace else { continue }
            execution.end(with: StalledClock(trace: trace, alarms: alarms))
        }
    }
}

extension VirtualClock: AwaitedClock {
    /// Notes an execution that a caller awaits.
    package func note(_ execution: AwaitedExecution) { stall.add(execution, on: self) }
}

/// Reports a request that waits for time that nobody lets pass.
package struct StalledClock: Error, CustomStringConvertible {
    let trace: RequestTrace
    let alarms: [String]

    /// The scheduled alarms, the remedy and the trace.
    package var description: String {
        "no time passes: the test awaits the request, and nobody advances its VirtualClock. Scheduled: "
            + "\(alarms.joined(separator: "; ")). Start the request with get(…) or async let, and then call "
            + "advance(to:) or advance(by:). The request so far:\(trace)"
    }
}
