import SimpleNetworkingSupport

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
    var failureOfHandlers: SimpleNetworkingError? { isOfHandler ? nil : budget?.lastFailure }

    /// Notes how the request of another request's handler has failed.
    func note(_ error: SimpleNetworkingError) {
        guard isOfHandler, let budget, let failure = error.withoutForeignObjects else { return }
        // It was abandoned because of what is known already.
        if case .abandoned = failure, budget.lastFailure != nil { return }
        budget.note(failure)
    }

    /// Notes the end of the execution.
    func close() { if !isOfHandler { budget?.close() } }
}

extension SimpleNetworkingError {
    /// The innermost cause without the user's objects, which an execution must not keep; nil for a deliberate end.
    fileprivate var withoutForeignObjects: Self? {
        switch self {
        case .cancelled, .stopped: nil
        case .abandoned(_, _, let cause?): cause
        case .failed(let error, _, _) where error is NetworkFailure: self
        case .failed(let error, _, _):
            .failed(FailureText(description: error.words), request: request, response: response)
        case .authentication, .decoding:
            .failed(FailureText(description: summary), request: request, response: response)
        default: self
        }
    }
}

/// Stands for an error of the user's code.
private struct FailureText: Error, CustomStringConvertible {
    let description: String
}
