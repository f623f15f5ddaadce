/// The retry budget that an execution uses, and how it shares the budget.
struct BudgetShare {
    private var budget: RetryBudget?
    /// Whether another request's handler made this request, which then shares the other request's budget.
    private(set) var isOfHandler = false

    /// Whether a status handler made the request.
    ///
    /// The handler's own request then waits for this request.
    private(set) var isOfStatusHandler = false

    var limit: Int { budget?.limit ?? 0 }

    /// Returns whether code that runs in this scope may make an attempt.
    mutating func allowsAttempt(in scope: RetryBudget.Scope?, isFirst: Bool, isFollowUp: Bool) -> Bool {
        if !isOfHandler { budget?.open() }
        if !isFirst { return !isOfHandler || budget?.use() ?? true }
        if isFollowUp { return true }
        // A request that its own handler executes again remains the owner of the budget.
        if let budget, scope?.budget === budget, !isOfHandler { return true }
        if let scope, scope.isStatusHandler, let following = scope.budget.following {
            budget = following
            isOfHandler = false
            return !following.isTooDeep
        }
        budget = scope?.budget
        isOfHandler = scope != nil
        isOfStatusHandler = scope?.isStatusHandler ?? false
        guard let scope, scope.isStatusHandler else { return true }
        return scope.budget.use()
    }

    /// Returns the scope in which status handlers run.
    ///
    /// Requests that these handlers make share the budget and count against it.
    mutating func scopeOfStatusHandlers(maxRetries: Int) -> RetryBudget.Scope {
        let budget = budget ?? RetryBudget(maxRetries: maxRetries)
        self.budget = budget
        return RetryBudget.Scope(budget: budget, isStatusHandler: true)
    }

    /// The scope in which all other handlers run, or nil if their requests share no budget.
    ///
    /// Requests that those handlers make share a budget only if another request's handler made this request.
    var scopeOfOtherHandlers: RetryBudget.Scope? {
        isOfHandler ? budget.map { RetryBudget.Scope(budget: $0, isStatusHandler: false) } : nil
    }

    /// The error of a request that the handlers made; nil if none has failed.
    var failureOfHandlers: SimpleNetworkingError? { budget?.lastFailure }

    /// Notes how the request of another request's handler has failed, and returns what that replaces.
    func note(_ error: SimpleNetworkingError) -> SimpleNetworkingError? { isOfHandler ? budget?.note(error) : nil }

    /// Notes the end of the execution.
    func close() { if !isOfHandler { budget?.close() } }
}
