/// Decides what an execution does next, so that it ends exactly once and its handlers run in order.
///
/// A pure value: its functions change it and return what the `Execution` has to do. A test walks all sequences.
struct ExecutionState {
    enum Phase: Equatable {
        /// Passing through `execute(request:)`, which a subclass may delay.
        case submitted
        case running
        /// There is a result, and status handlers get it.
        case handling
        /// `succeed(with:)` gave a response, which is decoded before it counts as a success.
        case deciding
        /// A status handler returned false and kept the request.
        case takenOver
        /// The outcome is decided, and handlers are told.
        case ending
        case ended
    }

    /// Names the object that would continue the execution, while the user's code has it.
    typealias Holder = ObjectIdentifier

    private(set) var phase = Phase.submitted
    private(set) var holder: Holder?
    /// Names the call of `execute(request:)` that runs or ran last; no later execution of the request uses it again.
    private(set) var round: Int
    /// The last round of the executions before this one: an object that a handler got by then is stale.
    private let former: Int
    /// The round before those that count as retries.
    private var origin: Int
    /// Counts the attempts that were sent, from 1; a response has its attempt's number.
    private(set) var attempt = 0
    private(set) var preparedAttempt = 0
    private(set) var result: AttemptResult?
    private(set) var outcome: Outcome?
    /// The submission that follows the end, and after how many seconds.
    private(set) var next: (isFresh: Bool, delay: Double)?
    var queue = HandlerQueue()
    /// Whether the queue was filled with the request's handlers, at the start or, without one, at the end.
    private(set) var hasHandlers = false
    /// Handlers that were added after the next execution was requested: they wait for that one's end.
    private var handlersForNext: [Handler] = []
    /// Whether a status handler runs that would not know of an end: its `retry()` means the next attempt.
    var isHandlerUnaware = false
    private(set) var isFurtherPage = false
    /// Whether success and error handlers are not told of the outcome.
    private(set) var isSilent = false
    private(set) var isCancelled = false
    private var ignoresNextStart = false
    /// Whether nothing has passed it to `execute(request:)` yet: a timer or the engine will.
    private var isHeldBack = false

    /// Makes the state of an execution whose rounds and attempts are counted from the start.
    init(holder: Holder?, after round: Int = 0, isCancelled: Bool = false) {
        self.holder = holder
        self.isCancelled = isCancelled
        self.round = round
        origin = round
        former = round
    }

    /// Follows an execution that has ended, and continues its count of retries and attempts.
    ///
    /// After a delay, a timer passes it to `execute(request:)`.
    init(holder: Holder?, following former: ExecutionState, after delay: Double = 0) {
        self.holder = holder
        isHeldBack = delay > 0
        round = former.round
        origin = former.origin
        self.former = former.round
        attempt = former.attempt
        preparedAttempt = former.attempt
    }

    var isActive: Bool { phase != .ending && phase != .ended }
    /// Whether this is the first call of `execute(request:)` for the execution or its page.
    var isFirstRound: Bool { round == origin + 1 }
    func hasUsedUp(_ maxRetries: Int) -> Bool { round - origin > maxRetries }
    /// Whether a status handler has the request, or had it and kept it; `round` is the one in which it got it.
    func isInHand(of round: Int?) -> Bool { (phase == .handling || phase == .takenOver) && !isStale(round) }
    func isStale(_ round: Int?) -> Bool { round.map { $0 != self.round || $0 <= former } ?? false }
    /// Whether the execution has ended behind the back of the status handler that got its object in `round`.
    func hasEndedMeanwhile(_ round: Int?) -> Bool { phase == .ending && isHandlerUnaware && round == self.round }
    /// The response that handlers see beside an error.
    var response: SimpleResponse? { result?.response }

    /// Lets the user's object pass the execution to `execute(request:)` once more; after a delay, a timer does.
    mutating func resubmit(by holder: Holder, after delay: Double) -> Decision {
        phase = .submitted
        self.holder = holder
        isHeldBack = delay > 0
        return .proceed
    }

    /// Lets another execution follow the end.
    mutating func queueNext(isFresh: Bool, after delay: Double = 0) -> Decision {
        next = (isFresh, delay)
        return .queue
    }

    /// Handles the call of `execute(request:)`; `round` is when a status handler got the request.
    mutating func start(limit: Int, round handlersRound: Int? = nil) -> Decision {
        switch phase {
        case .running: return .ignore("the request is being executed already")
        case .deciding: return .ignore("the request is about to end")
        case .ending where ignoresNextStart, .ended where ignoresNextStart:
            ignoresNextStart = false
            return .ignore("the request was cancelled before it was sent")
        case .ending: return hasEndedMeanwhile(handlersRound) ? .endedMeanwhile : queueNext(isFresh: true)
        case .ended: return .begin
        case .submitted, .handling, .takenOver:
            phase = .running
            holder = nil
            isHeldBack = false
            if isCancelled { return .endCancelled }
            if hasUsedUp(limit) { return .endAtLimit }
            result = nil
            round += 1
            queue.restart()
            return .proceed
        }
    }

    /// Returns whether the timer is to call `execute(request:)`.
    mutating func wake() -> Bool {
        defer { isHeldBack = false }
        return isHeldBack && phase == .submitted
    }

    mutating func countAttempt() { attempt += 1 }
    mutating func prepareAttempt() { preparedAttempt = attempt + 1 }

    /// Takes a result, and returns whether it counts: a late one does not.
    mutating func receive(_ result: AttemptResult) -> Bool {
        guard phase == .running else { return false }
        phase = .handling
        self.result = result
        return true
    }

    /// Handles a status handler that returned false; `holder` is the request that it kept, nil if it kept none.
    ///
    /// Returns whether the execution stops. A call that the handler made before, such as `retry()`, takes precedence.
    mutating func takeOver(by holder: Holder?, round: Int) -> Bool {
        guard phase == .handling, self.round == round else { return false }
        guard let holder else { return true }
        phase = .takenOver
        self.holder = holder
        return false
    }

    /// Handles `succeed(with:)`, and returns whether the response has to be decoded before it is a success.
    mutating func decide(on response: SimpleResponse) -> Bool {
        guard isActive, phase != .deciding, queue.wantsSuccess else { return false }
        phase = .deciding
        holder = nil
        result = .response(response, nil)
        queue.restart()
        return true
    }

    /// Starts the next page; attempts and retries are counted from 1 again.
    mutating func preparePage() {
        phase = .submitted
        holder = nil
        origin = round
        attempt = 0
        preparedAttempt = 0
        isFurtherPage = true
        isHeldBack = true
    }

    /// Notes the object that passes the next page on; returns false if the execution has ended.
    mutating func passPage(by holder: Holder) -> Bool {
        guard phase == .submitted else { return false }
        self.holder = holder
        isHeldBack = false
        return true
    }

    /// Decides the outcome; returns false if it was decided before.
    mutating func end(_ outcome: Outcome, isSilent: Bool = false) -> Bool {
        guard isActive else { return false }
        // A subclass may still pass it on; what has not passed it to the subclass yet does not.
        ignoresNextStart = phase == .submitted && !isHeldBack
        phase = .ending
        self.outcome = outcome
        self.isSilent = isSilent
        return true
    }

    /// Says why `fail(_:)`, `succeed(with:)` or `stop()` does nothing; nil if it may end the execution.
    func refusal(round: Int?) -> String? {
        if phase == .deciding { return "the request is about to end" }
        if isActive, isStale(round) { return "the request was retried before, and is running again" }
        return nil
    }

    /// Handlers were told of the end.
    mutating func close() { phase = .ended }

    /// The handlers that wait for the next execution, for the caller to release or to add.
    mutating func takeHandlersForNext() -> [Handler] {
        defer { handlersForNext = [] }
        return handlersForNext
    }

    /// Returns whether the queued execution is to begin: it may have been cancelled since the end.
    mutating func takeNext() -> Bool {
        defer { next = nil }
        return next != nil
    }

    mutating func cancel(_ outcome: Outcome) -> Bool {
        // A queued execution is cancelled too.
        if next != nil {
            next = nil
            isCancelled = true
            // After the end, the engine adds them.
            if phase == .ending { queue.handlers += takeHandlersForNext() }
        }
        guard end(outcome) else { return false }
        isCancelled = true
        return true
    }

    /// Returns whether the released object was the one to continue the execution.
    func isLost(by holder: Holder) -> Bool { (phase == .submitted || phase == .takenOver) && self.holder == holder }

    /// Takes the request's handlers, once: later ones are added.
    mutating func fill(_ handlers: [Handler]) {
        if hasHandlers { return }
        queue.handlers = handlers
        hasHandlers = true
    }

    /// Adds a handler, and returns whether it runs after the end, which was told already.
    mutating func add(_ handler: Handler) -> Bool {
        guard hasHandlers, next == nil else {
            // The request has it, too, and the next execution takes it from there.
            if hasHandlers { handlersForNext.append(handler) }
            return false
        }
        queue.handlers.append(handler)
        guard phase == .ended, let outcome, handler.isCompletion || handler.waits(for: outcome) else { return false }
        phase = .ending
        return true
    }
}
