/// Limits the requests that one request's status handlers make.
///
/// A handler that reacts to 401 with a request of its own, which is refused with 401 too, would call itself forever.
/// Requests that are executed while a status handler runs therefore share one budget with the handler's request, and
/// so do the retries of such requests. A task that a handler started may go on after the request's end: each of its
/// requests then has a budget of its own, but no chain of such tasks is longer than a budget.
final class RetryBudget: Sendable {
    /// The budget of the code that is running.
    struct Scope: Sendable {
        let budget: RetryBudget
        /// Whether a status handler makes the request.
        ///
        /// Only such requests count. Those made by the success handler of such a request share the budget without
        /// counting, since a refresh may need several steps.
        let isStatusHandler: Bool
    }

    @TaskLocal static var current: Scope?

    let limit: Int
    /// How many requests came before whose handlers started each other's tasks.
    private let depth: Int
    private let state = Locked((used: 0, isClosed: false))

    init(maxRetries: Int) {
        limit = maxRetries.addingSaturated(1)
        depth = 0
    }

    private init(following former: RetryBudget) {
        limit = former.limit
        depth = former.depth + 1
    }

    /// Notes that the request whose handlers share the budget is executed, perhaps again.
    func open() { state.withLock { $0.isClosed = false } }

    func close() { state.withLock { $0.isClosed = true } }

    /// The budget of a request that a handler's task makes after the end; nil before the end.
    var following: RetryBudget? { state.withLock { $0.isClosed } ? RetryBudget(following: self) : nil }

    var isTooDeep: Bool { depth > limit }

    /// Takes one request from the budget; returns false if none is left.
    func use() -> Bool {
        state.withLock { state in
            guard state.used < limit else { return false }
            state.used += 1
            return true
        }
    }

    static func run(in scope: Scope?, _ work: () -> Void) {
        if scope == nil, current == nil { return work() }
        $current.withValue(scope, operation: work)
    }
}
