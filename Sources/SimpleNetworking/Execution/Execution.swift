/// One execution of a request, from `execute(request:)` to its end: its attempts, its time limits and its handlers.
///
/// It lives as long as something may continue it. `ExecutionState` decides what happens; this class does it, and its
/// one lock guards both. The lock of a request may be held while this one is taken, and not the other way round.
final class Execution: Sendable {
    typealias Timer = @Sendable () -> Void

    struct State {
        var machine: ExecutionState
        var log: EventLog
        /// The request, until the end: it refers to the execution in turn.
        var request: Locked<SimpleRequest.State>?
        /// The request's own queue, if it has one.
        var callbackQueue: DispatchQueue?
        var client: SimpleNetworking?
        var memory: SecretMemory
        /// The client for the execution that follows on this one.
        var nextClient: SimpleNetworking?
        /// The refreshes that the call belonged to which has requested that execution.
        var nextScope = RefreshScope()
        /// The client's settings, read when the attempt began.
        var settings: SimpleNetworking.Settings?
        var head: RequestHead?
        var credential: CredentialUse
        /// The refreshes whose request it is, or of whose requests a handler made it.
        var refreshScope: RefreshScope
        var budget: BudgetShare
        /// The `Idempotency-Key` that it made, if its request wants one.
        var idempotencyKey: String?
        var gate: DeliveryGate
        var alarms = Alarms()
        var progress = TransferProgress()
        var turn = TurnWait()
        var replacement: Replacement?
        var awaitingCaller: AwaitingCaller?
        /// What to do when the last handler has returned, and whether it has.
        var afterEnd: [Timer] = []
        var isFinished = false
        var task: Task<Void, Never>?
        /// What is to be done once the lock is released: timers to stop, and a user's objects to release.
        var leftovers: [Timer] = []
    }

    let clock: any RequestClock
    let state: Locked<State>

    /// What an execution leaves to the one that follows it.
    struct Predecessor {
        let machine: ExecutionState
        let log: EventLog
        let budget: BudgetShare
        let credential: CredentialUse
        let refreshScope: RefreshScope
        let idempotencyKey: String?

        fileprivate init(_ state: State) {
            machine = state.machine
            log = state.log
            budget = state.budget
            credential = state.credential
            refreshScope = state.refreshScope
            idempotencyKey = state.idempotencyKey
        }
    }

    var predecessor: Predecessor { state.withLock { Predecessor($0) } }

    /// How an execution begins.
    struct Start {
        /// Whether attempts are counted from 1.
        let isFresh: Bool
        /// Seconds until it is passed to `execute(request:)`.
        var delay: TimeInterval = 0
        /// Whether the end of the one before begins it, unless it was cancelled since.
        var isQueued = false
        /// Whether handlers wait until the call that submits it has returned.
        var holdsHandlers = false
        var awaitingCaller: AwaitingCaller?
    }

    /// Makes an execution that has been submitted; `said` is what the request says, inout to spare a copy.
    ///
    /// Unless it is fresh, it continues the attempt count and the trace of the request's last execution.
    init(
        of request: SimpleRequest,
        on client: SimpleNetworking,
        after before: Predecessor?,
        _ start: Start,
        at now: TimeInterval,
        _ said: inout SimpleRequest.State
    ) {
        clock = client.clock
        let holder = ObjectIdentifier(request)
        var machine = ExecutionState(holder: holder, after: before?.machine.round ?? 0, isCancelled: said.isCancelled)
        var log = EventLog(number: before?.log.number, execution: (before?.log.execution ?? 0) + 1)
        var credential = CredentialUse(account: said.account)
        var refreshScope = RefreshScope.current
        if let before, !start.isFresh {
            machine = ExecutionState(holder: holder, following: before.machine, after: start.delay)
            log = before.log.continued
            credential = before.credential.continued
            refreshScope = before.refreshScope
        } else {
            log.start = now
        }
        state = Locked(
            State(
                machine: machine,
                log: log,
                request: request.state,
                callbackQueue: said.specification.callbackQueue,
                client: client,
                memory: client.memory,
                credential: credential,
                refreshScope: refreshScope,
                // A request that its own handler executes afresh keeps the budget.
                budget: before?.budget ?? BudgetShare(),
                idempotencyKey: start.isFresh ? nil : before?.idempotencyKey,
                gate: DeliveryGate(holdsHandlers: start.holdsHandlers),
                awaitingCaller: start.awaitingCaller
            )
        )
    }

    /// The number of the attempt that is prepared, runs or ran last.
    var attempt: Int { state.withLock { max($0.machine.attempt, $0.machine.preparedAttempt) } }
    var sentAttempt: Int { state.withLock { $0.machine.attempt } }
    /// The last result of an attempt.
    var result: AttemptResult? { state.withLock { $0.machine.result } }
    var head: RequestHead? { state.withLock { $0.head } }
    var isActive: Bool { state.withLock { $0.machine.isActive } }
    /// Whether it passes through the client's `execute(request:)`.
    var isSubmitted: Bool { state.withLock { $0.machine.phase == .submitted } }

    /// The `Idempotency-Key` that it made, if any.
    var idempotencyKey: String? { state.withLock { $0.idempotencyKey } }

    var account: AccountOfClient? { state.withLock { $0.credential.account } }

    /// The queue that the request has set for its handlers.
    var callbackQueue: DispatchQueue? {
        get { state.withLock { $0.callbackQueue } }
        set {
            update { state in
                state.release(state.callbackQueue)
                state.callbackQueue = newValue
            }
        }
    }

    func trace(of request: String) -> RequestTrace {
        let (events, memory) = state.withLock { ($0.log.events, $0.memory) }
        return RequestTrace(request: memory.hide(in: request), events: events, memory: memory)
    }

    /// Adds a handler to those of the request; returns whether it is to be told of an end that was told before.
    func add(_ handler: Handler, to request: Locked<SimpleRequest.State>, on client: SimpleNetworking?) -> Bool {
        state.withLock { state in
            guard state.machine.add(handler) else { return false }
            state.request = request
            state.client = client
            return true
        }
    }

    /// Changes the state, and does afterwards what must not be done under the lock.
    func update<Result>(_ change: (inout State) -> Result) -> Result {
        let (result, news, leftovers) = state.withLock { state in
            let result = change(&state)
            return (result, state.log.takeNews(), state.takeLeftovers())
        }
        var told = news
        while let news = told {
            news.tell()
            told = state.withLock { $0.log.takeNews(afterTelling: true) }
        }
        for leftover in leftovers { leftover() }
        return result
    }

    /// Records an event, and tells handlers that wait for it.
    ///
    /// Inlined, it would enlarge the frames that wait.
    @inline(never) func record(_ event: RequestEvent.Kind) {
        let now = clock.now
        if update({ $0.record(event, at: now) }) { deliver() }
    }

    /// Logs why a call did nothing.
    func ignore(_ reason: String, of request: SimpleRequest) {
        record(.ignored(reason))
        let (settings, memory) = state.withLock { ($0.settings, $0.memory) }
        // After the end, the request knows the client.
        let client = request.client
        let logger = (settings ?? client?.settings)?.configuration.logger ?? .system
        logger.log(.warning, memory.hide(in: "\(request): \(reason)."))
    }
}

extension Execution.State {
    /// Returns whether handlers wait for the event.
    mutating func record(_ event: RequestEvent.Kind, at time: TimeInterval) -> Bool {
        log.add(event, at: time)
        // A further page is not the start of anything.
        if machine.isFurtherPage, case .sent(_, attempt: 1) = event { return false }
        switch event {
        case .sent, .redirected: return machine.queue.add(.event(event))
        default: return false
        }
    }

    mutating func queue(_ client: SimpleNetworking) {
        if let former = nextClient { release(former) }
        nextClient = client
        nextScope = RefreshScope.current
    }

    /// Keeps what may be a user's until the lock is released: its `deinit` may use the request.
    mutating func release(_ objects: any Sendable...) { leftovers.append { withExtendedLifetime(objects) {} } }

    fileprivate mutating func takeLeftovers() -> [Execution.Timer] {
        if let dropped = log.takeDropped() { release(dropped) }
        if leftovers.isEmpty { return [] }
        defer { leftovers = [] }
        return leftovers
    }
}
