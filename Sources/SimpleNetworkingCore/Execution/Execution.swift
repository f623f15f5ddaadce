import SimpleNetworkingSupport

/// One execution of a request, from `execute(request:)` to its end: its attempts, its time limits and its handlers.
///
/// An execution lives as long as any object may continue it. `ExecutionState` decides the next action, and this class
/// performs it. One lock guards both. The lock of a request may be held while the lock of its execution is acquired,
/// but not the other way round.
final class Execution: Sendable {
    typealias Timer = @Sendable () -> Void

    struct State {
        var machine: ExecutionState
        var log: EventLog
        /// The request, which is removed at the end because it refers back to the execution.
        var request: Locked<SimpleRequest.State>?
        /// The request's own queue, if it has one.
        var callbackQueue: DispatchQueue?
        var client: SimpleNetworking?
        /// The client's settings, read when the attempt began.
        var settings: SimpleNetworking.Settings?
        var memory: SecretMemory
        var inherited: Inheritance
        var attempt = Attempt()
        var gate: DeliveryGate
        var alarms = Alarms()
        var closing: Closing
        var following = Following()
        /// Work to do after the lock is released: stopping timers, and releasing the user's objects.
        var deferredWork: [Timer] = []
    }

    /// The attempt in progress, or the last one.
    struct Attempt {
        var head: RequestHead?
        var progress = TransferProgress()
        var turn = TurnWait()
        var reach = Reach()
        var task: Task<Void, Never>?
    }

    /// What happens when the last handler has returned.
    struct Closing {
        var awaitingCaller: AwaitingCaller?
        var work: [Timer] = []
        var isFinished = false
        /// Whether the program's end should warn about the request.
        var isCounted = false
    }

    /// The execution that follows, if the user asked for it.
    struct Following {
        var client: SimpleNetworking?
        /// The refreshes to which the call that requested it belonged.
        var scope = RefreshScope()
        /// Its position, in the order in which the user asked for requests.
        var place: Int?
        /// The users of that moment.
        var users: RequestUsers?
    }

    let clock: any RequestClock
    let state: Locked<State>

    /// How an execution begins.
    struct Start {
        /// Whether attempts are counted from 1.
        let isFresh: Bool
        /// The number of seconds until the execution is passed to `execute(request:)`.
        var delay: TimeInterval = 0
        /// Whether the execution begins when the previous execution ends, unless it was cancelled in the meantime.
        var isQueued = false
        /// Whether handlers wait until the call that submits it has returned.
        var holdsHandlers = false
        var awaitingCaller: AwaitingCaller?
    }

    /// Creates a submitted execution.
    ///
    /// `requestState` is the request's state, which is inout to avoid a copy. Unless the execution starts fresh, it continues
    /// the attempt count and the trace of the request's last execution.
    init(
        of request: SimpleRequest,
        on client: SimpleNetworking,
        after before: Predecessor?,
        _ start: Start,
        at now: TimeInterval,
        _ requestState: inout SimpleRequest.State
    ) {
        clock = client.clock
        let holder = ObjectIdentifier(request)
        var machine = ExecutionState(
            holder: holder,
            after: before?.machine.round ?? 0,
            isCancelled: requestState.isCancelled
        )
        var log = EventLog(number: before?.log.number, execution: (before?.log.execution ?? 0) + 1)
        var inherited: Inheritance
        if let before, !start.isFresh {
            machine = ExecutionState(holder: holder, following: before.machine, after: start.delay)
            log = before.log.continued
            inherited = before.inherited.continued
        } else {
            log.start = now
            inherited = Inheritance(of: requestState, on: client, after: before, isQueued: start.isQueued)
        }
        machine.fill(requestState.handlers)
        if requestState.suspension?.isSuspended ?? false { log.add(.suspended, at: now) }
        state = Locked(
            State(
                machine: machine,
                log: log,
                request: request.state,
                callbackQueue: requestState.specification.callbackQueue,
                client: client,
                memory: client.memory,
                inherited: inherited,
                gate: DeliveryGate(holdsHandlers: start.holdsHandlers),
                closing: Closing(awaitingCaller: start.awaitingCaller)
            )
        )
    }

    /// The number of the attempt that is prepared or in progress, or otherwise of the last attempt.
    var attempt: Int { state.withLock { max($0.machine.attempt, $0.machine.preparedAttempt) } }
    var sentAttempt: Int { state.withLock { $0.machine.attempt } }
    /// The result of the last attempt.
    var result: AttemptResult? { state.withLock { $0.machine.result } }
    var head: RequestHead? { state.withLock { $0.attempt.head } }
    var isActive: Bool { state.withLock { $0.machine.isActive } }
    /// Whether the execution is passing through the client's `execute(request:)`.
    var isSubmitted: Bool { state.withLock { $0.machine.phase == .submitted } }

    /// The `Idempotency-Key` that the execution created, if any.
    var idempotencyKey: String? { state.withLock { $0.inherited.idempotencyKey } }

    var account: AccountOfClient? { state.withLock { $0.inherited.credential.account } }

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

    /// Adds a handler to the request, and returns whether it must be notified of an already reported end.
    func add(_ handler: Handler, to request: Locked<SimpleRequest.State>, on client: SimpleNetworking?) -> Bool {
        state.withLock { state in
            guard state.machine.add(handler) else { return false }
            state.request = request
            state.client = client
            return true
        }
    }

    /// Changes the state, then does the work that must not be done under the lock.
    func update<Result>(_ change: (inout State) -> Result) -> Result {
        let (result, news, deferredWork) = state.withLock { state in
            let result = change(&state)
            return (result, state.log.takeNews(), state.takeLeftovers())
        }
        var told = news
        while let news = told {
            news.tell()
            told = state.withLock { $0.log.takeNews(afterTelling: true) }
        }
        for work in deferredWork { work() }
        return result
    }

    /// Records an event, and notifies handlers that wait for it.
    ///
    /// If this method were inlined, it would enlarge the stack frames that wait.
    @inline(never) func record(_ event: RequestEvent.Kind) {
        let now = clock.now
        if update({ $0.record(event, at: now) }) { deliver() }
    }

    /// Records and logs why a call, or something that a server said, did nothing.
    ///
    /// The client isn't needed while the execution runs, nor after it, if the request itself was executed.
    func ignore(_ reason: String, of request: SimpleRequest, on client: SimpleNetworking? = nil) {
        record(.ignored(reason))
        let (settings, memory) = state.withLock { ($0.settings, $0.memory) }
        let logger = (settings ?? (client ?? request.client)?.settings)?.configuration.logger ?? .system
        logger.log(.warning, memory.hide(in: "\(request): \(reason)."))
    }

    func ignore(_ reason: String) {
        if let request = state.withLock({ $0.request }) { ignore(reason, of: SimpleRequest(request)) }
    }
}

extension Execution.State {
    /// Returns whether handlers wait for the event.
    mutating func record(_ event: RequestEvent.Kind, at time: TimeInterval) -> Bool {
        log.add(event, at: time)
        // A follow-up is not a start.
        if machine.isFollowUp, case .sent(_, attempt: 1) = event { return false }
        switch event {
        case .sent, .redirected: return machine.queue.add(.event(event))
        default: return false
        }
    }

    mutating func queue(_ client: SimpleNetworking, _ users: RequestUsers) {
        if let former = following.client { release(former) }
        following = Execution.Following(
            client: client,
            scope: .ofNewRequest,
            place: Lineage.nextPlace(),
            users: users
        )
    }

    /// Keeps the user's objects until the lock is released, because their `deinit` may use the request.
    mutating func release(_ objects: any Sendable...) { deferredWork.append { withExtendedLifetime(objects) {} } }

    fileprivate mutating func takeLeftovers() -> [Execution.Timer] {
        if let dropped = log.takeDropped() { release(dropped) }
        // No handler runs before the next attempt.
        if machine.phase == .submitted { drop(machine.commit.take()) }
        if deferredWork.isEmpty { return [] }
        defer { deferredWork = [] }
        return deferredWork
    }
}
