/// All that changes about a request; kept under its lock.
struct RequestState {
    var specification: RequestSpecification
    var handlers: [RequestHandler] = []
    var execution = ExecutionState()
    var client: (any RequestExecutor)?
    var settings: ExecutionSettings?
    /// The attempt in the pipeline.
    var task: Task<Void, Never>?
    var cancelDeadline: (@Sendable () -> Void)?
    var cancelDelay: (@Sendable () -> Void)?
    /// Seconds to wait before the execution that was asked for while handlers heard of the end of this one.
    var queuedDelay: TimeInterval = 0
    var head: RequestHead?
    var response: SimpleResponse?
    /// What the response means; nil for success.
    var error: SimpleNetworkingError?
    var outcome: Completion.Outcome?
    /// Whoever awaits the end.
    var completion: Completion?
    /// Private copies that `send(_:)` executes.
    var copies: [WeakCore] = []
    /// How many `SimpleRequest`s stand for this request: the caller's, the pipeline's, the one in a status handler's hands.
    var owners = 0
    var lastTicket = 0
    /// The one that a status handler kept when it took the request over; nil if it kept none.
    var ticketInHand: Int?
    var family: Lineage?
    /// Whether it was executed by a handler of `family`, and not itself its origin.
    var isDescendant = false
    /// Whether handlers are on their way; there is never more than one at a time.
    var isDelivering = false
    private var statusCursor = 0
    private var outcomeCursor = 0
    private var completionCursor = 0

    init(specification: RequestSpecification) { self.specification = specification }

    enum Next {
        case status(RequestHandler, SimpleResponse, epoch: Int)
        /// No status handler is left: the response is the outcome.
        case decide(Completion.Outcome, epoch: Int)
        case outcome(RequestHandler, Completion.Outcome)
        case ended(Completion?, Completion.Outcome?, resubmits: Bool)
        /// Somebody else goes on: the pipeline, or whoever retries.
        case pause
    }

    /// Leaves nothing of what was before, and gives what cancels the timer that ran until now.
    mutating func beginAttempt() -> (@Sendable () -> Void)? {
        defer { cancelDelay = nil }
        (statusCursor, outcomeCursor, completionCursor) = (0, 0, 0)
        outcome = nil
        (response, error) = (nil, nil)
        return cancelDelay
    }

    mutating func end(with outcome: Completion.Outcome) {
        self.outcome = outcome
        task = nil
        cancelDelay = nil
        cancelDeadline = nil
    }

    /// The next handler to run, in order: status handlers, then those of the outcome, then completion handlers.
    ///
    /// A handler that was added meanwhile joins the end of the list.
    mutating func next() -> Next {
        if execution.phase == .handling, let response {
            while statusCursor < handlers.count {
                defer { statusCursor += 1 }
                let handler = handlers[statusCursor]
                if handler.waits(for: response.httpStatus) {
                    return .status(handler, response, epoch: execution.epoch)
                }
            }
            return .decide(error.map { .failure($0) } ?? .success(response), epoch: execution.epoch)
        }
        guard execution.phase == .ending, let outcome else {
            isDelivering = false
            return .pause
        }
        while outcomeCursor < handlers.count {
            defer { outcomeCursor += 1 }
            if handlers[outcomeCursor].waits(for: outcome) { return .outcome(handlers[outcomeCursor], outcome) }
        }
        while completionCursor < handlers.count {
            defer { completionCursor += 1 }
            if handlers[completionCursor].isCompletion { return .outcome(handlers[completionCursor], outcome) }
        }
        isDelivering = false
        defer { completion = nil }
        return .ended(completion, outcome, resubmits: execution.delivered())
    }
}

/// A request that may be gone.
struct WeakCore: Sendable {
    weak var core: RequestCore?
}
