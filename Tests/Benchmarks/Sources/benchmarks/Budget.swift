import Synchronization

/// The requests of one run: says whether there is another one to make, and keeps how long each took.
final class Budget: Sendable {
    private struct State {
        var left: Int
        var durations: [UInt64]
    }

    let path: String
    /// Whether the content is decoded.
    let decodes: Bool
    private let state: Mutex<State>

    init(_ count: Int, of path: String = "/item", decodes: Bool = true) {
        self.path = path
        self.decodes = decodes
        var durations: [UInt64] = []
        durations.reserveCapacity(count)
        state = Mutex(State(left: count, durations: durations))
    }

    /// Takes one request, or says that there is none left.
    func take() -> Bool {
        state.withLock { state in
            guard state.left > 0 else { return false }
            state.left -= 1
            return true
        }
    }

    /// Keeps how long a request took that began at `start`.
    func record(since start: UInt64) { record(Clock.now - start) }

    /// Keeps how long a request took.
    func record(_ duration: UInt64) { state.withLock { $0.durations.append(duration) } }

    /// The microseconds within which a share of the requests ended.
    func microseconds(within share: Double) -> Double {
        let durations = state.withLock { $0.durations.sorted() }
        return Double(durations[Int(Double(durations.count) * share)]) / 1e3
    }
}
