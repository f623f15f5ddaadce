/// Says which budget of retries an execution shares, and how.
struct BudgetShare {
    private var budget: RetryBudget?
    /// Whether a handler of another request made this one: then the budget is that request's.
    private(set) var isOfHandler = false

    /// Whether a status handler made it, which its own request waits for.
    private(set) var isOfStatusHandler = false

    var limit: Int { budget?.limit ?? 0 }

    /// Tells whether an attempt may be made by code that runs in this scope.
    mutating func allowsAttempt(in scope: RetryBudget.Scope?, isFirst: Bool, isPage: Bool) -> Bool {
        if !isOfHandler { budget?.open() }
        if !isFirst { return !isOfHandler || budget?.use() ?? true }
        if isPage { return true }
        // A request that its own handler executes afresh stays the owner of the budget.
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

    /// The scope in which status handlers run; what they request shares the budget, and counts.
    mutating func scopeOfStatusHandlers(maxRetries: Int) -> RetryBudget.Scope {
        let budget = budget ?? RetryBudget(maxRetries: maxRetries)
        self.budget = budget
        return RetryBudget.Scope(budget: budget, isStatusHandler: true)
    }

    /// The scope in which all other handlers run; nil if what they request shares nothing.
    ///
    /// Only requests made by another request's handlers share a budget with what these make.
    var scopeOfOtherHandlers: RetryBudget.Scope? {
        isOfHandler ? budget.map { RetryBudget.Scope(budget: $0, isStatusHandler: false) } : nil
    }

    /// Notes the end of the execution.
    func close() { if !isOfHandler { budget?.close() } }
}
