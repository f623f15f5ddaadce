/// Limits the requests that one request's status handlers make.
///
/// A handler that reacts to 401 with a request of its own, which is refused with 401 too, would call itself forever.
/// Requests that are executed while a status handler runs therefore share one budget with the handler's request, and
/// so do the retries of such requests.
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

    @TaskLocal
    static var current: Scope?

    let limit: Int
    private let used = Locked(0)

    init(maxRetries: Int) { limit = maxRetries.addingSaturated(1) }

    /// Takes one request from the budget; returns false if none is left.
    func use() -> Bool {
        used.withLock { used in
            guard used < limit else { return false }
            used += 1
            return true
        }
    }

    static func run(in scope: Scope?, _ work: () -> Void) {
        if scope == nil, current == nil { return work() }
        $current.withValue(scope, operation: work)
    }
}

extension ExecutionState {
    /// Whether the client's `maxRetries` allow no further round.
    func hasUsedUp(_ maxRetries: Int) -> Bool { round > maxRetries }
}
