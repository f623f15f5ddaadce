import Synchronization

/// Counts how often each request has ended, and knows which ones have not.
final class Ledger: Sendable {
    private struct State {
        var next = 0
        var limit: Int
        var ends: [UInt8]
        var pending: [Int: ContinuousClock.Instant] = [:]
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - count: How many requests there will be.
    ///   - limit: How many may be sent until `permit(_:)`; all by default.
    init(count: Int, limit: Int? = nil) {
        state = Mutex(State(limit: limit ?? count, ends: Array(repeating: 0, count: count)))
    }

    /// The number of the next request; nil when all have been sent.
    func take() -> Int? {
        state.withLock { state in
            guard state.next < state.limit else { return nil }
            defer { state.next += 1 }
            state.pending[state.next] = .now
            return state.next
        }
    }

    /// Lets so many requests be sent in all.
    func permit(_ limit: Int) { state.withLock { $0.limit = limit } }

    func recordEnd(of number: Int) {
        state.withLock { state in
            state.ends[number] = min(state.ends[number] + 1, 9)
            state.pending[number] = nil
        }
    }

    /// Returns after the first of the ends that are told to the closure's function; each is counted.
    func wait(for number: Int, _ execute: (_ end: @escaping @Sendable () -> Void) -> Void) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let waiting = OneTime(continuation)
            execute {
                self.recordEnd(of: number)
                waiting.take()?.resume()
            }
        }
    }

    /// The requests that were sent before an instant and have not ended.
    func pending(since instant: ContinuousClock.Instant) -> [Int] {
        state.withLock { $0.pending.filter { $0.value < instant }.keys.sorted() }
    }

    /// How many were sent, and those that did not end exactly once.
    var result: (sent: Int, wrong: [Int]) {
        state.withLock { state in
            let sent = state.ends.count { $0 > 0 } + state.pending.count
            let wrong = state.ends.indices.filter { state.ends[$0] > 1 } + state.pending.keys
            return (sent, wrong.sorted())
        }
    }
}

/// A value that is taken once.
private final class OneTime<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) { self.value = Mutex(value) }

    func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
