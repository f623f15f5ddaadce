import SimpleNetworkingSupport

/// Limits the requests made by one request's status handlers.
///
/// A handler that reacts to a 401 with its own request, which also gets a 401, would call itself forever. Therefore,
/// requests executed while a status handler runs, and their retries, share one budget with the handler's request. A
/// task that a handler started may continue after the request's end. Each of its requests then has its own budget, but
/// no chain of such tasks is longer than a budget.
final class RetryBudget: Sendable {
    /// The budget of the running code.
    struct Scope: Sendable {
        let budget: RetryBudget
        /// Whether a status handler makes the request.
        ///
        /// Only such requests count. If the success handler of such a request makes a request, that request shares the
        /// budget without counting, because a refresh may need several steps.
        let isStatusHandler: Bool
    }

    @TaskLocal static var current: Scope?

    let limit: Int
    /// The number of earlier requests in a chain in which the handlers of each request started the next request's task.
    private let depth: Int
    private let state = Locked((used: 0, isClosed: false))
    /// The error of the last request of a handler that failed.
    private let failure = Locked<SimpleNetworkingError?>(nil)

    init(maxRetries: Int) {
        limit = maxRetries.addingSaturated(1)
        depth = 0
    }

    private init(following former: RetryBudget) {
        limit = former.limit
        depth = former.depth + 1
    }

    /// Notes that the request that owns the budget is executed, possibly again.
    func open() { state.withLock { $0.isClosed = false } }

    func close() {
        state.withLock { $0.isClosed = true }
        failure.withLock { $0 = nil }
    }

    /// The budget of a request that a handler's task makes after the end, or nil before the end.
    var following: RetryBudget? { state.withLock { $0.isClosed } ? RetryBudget(following: self) : nil }

    var isTooDeep: Bool { depth > limit }

    /// Takes one request from the budget, or returns false if none is left.
    func use() -> Bool {
        state.withLock { state in
            guard state.used < limit else { return false }
            state.used += 1
            return true
        }
    }

    /// The error of the last request of a handler that failed; nil if none has.
    var lastFailure: SimpleNetworkingError? { failure.withLock(\.self) }

    /// Notes the error of a handler's request, which holds none of the user's objects.
    func note(_ error: SimpleNetworkingError) { failure.withLock { $0 = error } }

    static func run(in scope: Scope?, _ work: () -> Void) {
        if scope == nil, current == nil { return work() }
        $current.withValue(scope, operation: work)
    }
}
