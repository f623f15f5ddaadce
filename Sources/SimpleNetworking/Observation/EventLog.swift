/// Collects what happens to one request, in order.
struct EventLog: Sendable {
    private struct State {
        var events: [RequestEvent] = []
        var clock: any RequestClock = SystemClock()
        var start: TimeInterval = 0
        var attempt = 0
        var observer: (@Sendable (RequestEvent.Kind) -> Void)?
        /// nil where nobody listens.
        var watcher: EventWatcher?
        /// The request's number, once somebody has listened.
        var number: Int?
    }

    private let state = Locked(State())

    var events: [RequestEvent] { state.withLock { $0.events } }

    var now: TimeInterval { state.withLock { $0.clock }.now }

    /// Forgets all; called when a request is executed afresh.
    func restart(clock: any RequestClock) {
        let now = clock.now
        state.withLock { state in
            state = State(clock: clock, start: now, observer: state.observer, number: state.number)
            state.events.reserveCapacity(6)
        }
    }

    func record(_ kind: RequestEvent.Kind) {
        let now = now
        let (time, observer, watcher) = state.withLock { state in
            // A request that is retried for days must not grow for ever: the beginning and the end tell the story.
            if state.events.count >= 1000 { state.events.removeSubrange(500..<600) }
            let time = now - state.start
            state.events.append(RequestEvent(time: time, kind: kind))
            return (time, state.observer, state.watcher)
        }
        // Of a handler one hears when it has returned.
        if let watcher, !kind.isHandler { watcher.see(RequestEvent(time: time, kind: kind)) }
        observer?(kind)
    }

    /// Lets a logger and monitors hear of each event from now on; nil for nobody.
    func watch(_ makeWatcher: ((Int) -> EventWatcher)?) {
        state.withLock { state in
            guard let makeWatcher else {
                state.watcher = nil
                return
            }
            let number = state.number ?? EventWatcher.nextNumber()
            state.number = number
            state.watcher = makeWatcher(number)
        }
    }

    var isWatched: Bool { state.withLock { $0.watcher != nil } }

    /// Lets a logger hear of what goes over the wire, if it wants such details.
    func recordMessage(_ message: @autoclosure () -> WireMessage) {
        if let watcher = state.withLock({ $0.watcher }), watcher.isDetailed { watcher.see(message()) }
    }

    /// Lets somebody hear of each event from now on.
    func observe(_ observer: @escaping @Sendable (RequestEvent.Kind) -> Void) {
        state.withLock { $0.observer = observer }
    }

    /// Records a handler's run when it starts, so that what it does comes after it, and completes the record at its end.
    func record(_ run: HandlerRun, _ handler: () -> Bool?) {
        let start = now
        record(.handler(run))
        var run = run
        run.decision = handler()
        run.duration = now - start
        let (event, watcher) = state.withLock { state in
            // Handlers of one request never overlap: the last one recorded is the one that has just run.
            let index = state.events.lastIndex { $0.kind.isHandler }
            if let index { state.events[index].kind = .handler(run) }
            return (index.map { state.events[$0] }, state.watcher)
        }
        if let event { watcher?.see(event) }
    }

    /// Counts an attempt and records that it is sent.
    func recordAttempt(_ head: RequestHead) {
        let attempt = state.withLock { state in
            state.attempt += 1
            return state.attempt
        }
        record(.sent(head, attempt: attempt))
    }

    /// Counts attempts anew for a further page.
    func recordPage(_ number: Int) {
        state.withLock { $0.attempt = 0 }
        record(.page(number: number))
    }

    /// The number of the attempt that runs or ran last.
    var attempt: Int { state.withLock { $0.attempt } }
}

extension RequestEvent.Kind {
    fileprivate var isHandler: Bool { if case .handler = self { true } else { false } }
}
