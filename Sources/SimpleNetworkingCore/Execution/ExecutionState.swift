/// Decides an execution's next step, so that it ends exactly once and its handlers run in order.
///
/// A pure value: its methods change it and return what the `Execution` must do. A test covers all sequences.
struct ExecutionState {
    enum Phase: Equatable {
        /// Passing through `execute(request:)`, which a subclass may delay.
        case submitted
        case running
        /// There is a result, which status handlers receive.
        case handling
        /// `succeed(with:)` provided a response, which must be delivered, decoded or committed before it counts.
        case deciding
        /// A status handler returned false and kept the request.
        case takenOver
        /// A success is carried out, and nothing else may end the execution.
        case committing
        /// The outcome is decided, and handlers are being notified.
        case ending
        case ended
    }

    /// Identifies the object that can continue the execution, while user code has it.
    typealias Holder = ObjectIdentifier

    private(set) var phase = Phase.submitted
    private(set) var holder: Holder?
    /// The number of the latest call to `execute(request:)`; no later execution of the request reuses it.
    private(set) var round: Int
    /// The last round of the previous executions; an object that a handler received by then is stale.
    private let former: Int
    /// The round before those that count as retries.
    private var origin: Int
    /// The number of attempts sent; a response has its attempt's number.
    private(set) var attempt = 0
    private(set) var preparedAttempt = 0
    private(set) var result: AttemptResult?
    /// What a success must carry out before it counts; nil for nothing.
    var commit: Commit?
    /// The response that `succeed(with:)` provided, until it is delivered to the request's file or reader.
    var provided: SimpleResponse?
    private(set) var outcome: Outcome?
    /// The submission that follows the end, and its delay in seconds.
    private(set) var next: (isFresh: Bool, delay: Double)?
    var queue = HandlerQueue()
    /// Whether the queue contains the request's handlers.
    var hasHandlers = false
    /// Handlers added after the next execution was requested; they wait for that execution's end.
    var handlersForNext: [Handler] = []
    /// Whether a status handler runs that would not notice an end: its `retry()` means the next attempt.
    var isHandlerUnaware = false
    private(set) var isFollowUp = false
    /// Whether success and error handlers are not notified of the outcome.
    private(set) var isSilent = false
    private(set) var isCancelled = false
    private var ignoresNextStart = false
    /// Whether it has not yet been passed to `execute(request:)`, which a timer or the engine will do.
    private var isHeldBack = false

    /// Creates the state of an execution whose rounds and attempts are counted from the start.
    init(holder: Holder?, after round: Int = 0, isCancelled: Bool = false) {
        self.holder = holder
        self.isCancelled = isCancelled
        self.round = round
        origin = round
        former = round
    }

    /// Creates the state of an execution that continues an ended one's count of retries and attempts.
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
    /// Whether this is the first call to `execute(request:)` for the execution or its follow-up.
    var isFirstRound: Bool { round == origin + 1 }
    func hasUsedUp(_ maxRetries: Int) -> Bool { round - origin > maxRetries }
    func isStale(_ round: Int?) -> Bool { round.map { $0 != self.round || $0 <= former } ?? false }
    /// The response that handlers see with an error.
    var response: SimpleResponse? { result?.response }

    /// Lets the user's object pass the execution to `execute(request:)` again; after a delay, a timer does.
    mutating func resubmit(by holder: Holder, after delay: Double) -> Decision {
        phase = .submitted
        self.holder = holder
        isHeldBack = delay > 0
        return .proceed
    }

    /// Queues another execution to follow the end.
    mutating func queueNext(isFresh: Bool, after delay: Double = 0) -> Decision {
        next = (isFresh, delay)
        return .queue
    }

    /// Handles the call to `execute(request:)`; `round` is when a status handler received the request.
    mutating func start(limit: Int, round handlersRound: Int? = nil) -> Decision {
        switch phase {
        case .running: return .ignore("the request is being executed already")
        case .deciding, .committing:
            ignoresNextStart = false
            return .ignore("the request is about to end")
        case .ending where ignoresNextStart, .ended where ignoresNextStart:
            ignoresNextStart = false
            return .ignore("the request ended before it was sent")
        case .ending: return hasEndedMeanwhile(handlersRound) ? .endedMeanwhile : queueNext(isFresh: true)
        case .ended: return .begin
        case .submitted, .handling, .takenOver:
            phase = .running
            holder = nil
            isHeldBack = false
            ignoresNextStart = false
            if isCancelled { return .endCancelled }
            if hasUsedUp(limit) { return .endAtLimit }
            result = nil
            round += 1
            queue.restart()
            return .proceed
        }
    }

    /// Returns whether the timer must call `execute(request:)`.
    mutating func wake() -> Bool {
        defer { isHeldBack = false }
        return isHeldBack && phase == .submitted
    }

    mutating func countAttempt() { attempt += 1 }
    mutating func prepareAttempt() { preparedAttempt = attempt + 1 }

    /// Receives a result, and returns whether it counts; late results don't.
    mutating func receive(_ result: AttemptResult) -> Bool {
        guard phase == .running else { return false }
        phase = .handling
        self.result = result
        return true
    }

    /// Handles a status handler that returned false; `holder` is the request that it kept, or nil.
    ///
    /// Returns whether the execution stops. An earlier call by the handler, such as `retry()`, takes precedence.
    mutating func takeOver(by holder: Holder?, round: Int) -> Bool {
        guard phase == .handling, self.round == round else { return false }
        guard let holder else { return true }
        phase = .takenOver
        self.holder = holder
        return false
    }

    /// Handles `succeed(with:)`: whether the response must first be delivered, decoded or committed; nil if it's late.
    mutating func decide(on response: SimpleResponse, needsDelivery: Bool = false) -> Bool? {
        guard isActive, !isAboutToEnd else { return nil }
        queue.dropValues()
        guard needsDelivery || commit != nil || queue.wantsSuccess else { return false }
        ignoresNextStart = phase == .submitted && !isHeldBack
        phase = .deciding
        holder = nil
        provided = needsDelivery ? response : nil
        result = needsDelivery ? nil : .response(response, nil)
        queue.restart()
        return true
    }

    /// Receives the provided response after its delivery.
    mutating func receive(provided response: SimpleResponse) { result = .response(response, nil) }

    /// Keeps what a success must carry out; returns false if `round` is over, or the provided response not awaited.
    mutating func hold(_ commit: Commit, of round: Int, isProvided: Bool = false) -> Bool {
        let isAwaited = isProvided ? isDelivering : phase == .running
        guard self.commit == nil, self.round == round, isAwaited else { return false }
        self.commit = commit
        return true
    }

    /// Returns what the success must carry out, during which nothing else ends the execution.
    mutating func beginCommit() -> Commit? {
        if commit != nil { phase = .committing }
        return commit.take()
    }

    /// Decides the outcome after the success was carried out, or could not be.
    mutating func settle(_ outcome: Outcome) {
        phase = .ending
        self.outcome = outcome
    }

    /// Goes on with another target; attempts and retries are counted from 1 again.
    mutating func prepareFollowUp() {
        phase = .submitted
        holder = nil
        origin = round
        attempt = 0
        preparedAttempt = 0
        isFollowUp = true
        isHeldBack = true
    }

    /// Notes the object that passes on the follow-up; returns false if the execution has ended.
    mutating func passFollowUp(by holder: Holder) -> Bool {
        guard phase == .submitted else { return false }
        self.holder = holder
        isHeldBack = false
        return true
    }

    /// Decides the outcome; returns false if it was already decided.
    mutating func end(_ outcome: Outcome, isSilent: Bool = false) -> Bool {
        guard isActive, phase != .committing else { return false }
        // A subclass that has already received the request may still pass it on.
        ignoresNextStart = ignoresNextStart || phase == .submitted && !isHeldBack
        phase = .ending
        self.outcome = outcome
        self.isSilent = isSilent
        return true
    }

    /// Notes that handlers were notified of the end.
    mutating func close() { phase = .ended }

    /// Notes that a handler was added that must be notified of the end.
    mutating func reopen() { phase = .ending }

    /// Returns whether the queued execution must begin; it may have been cancelled since the end.
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
}
