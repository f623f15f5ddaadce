/// Collects what happens to one request, in order.
struct EventLog: Sendable {
    private struct State {
        var events: [RequestEvent] = []
        var clock: any RequestClock = SystemClock()
        var start: TimeInterval = 0
        var attempt = 0
        /// The number of the attempt that is being prepared.
        var announced = 0
        var observer: (@Sendable (RequestEvent.Kind) -> Void)?
        /// nil where nobody listens.
        var watcher: EventWatcher?
        /// The request's number, once somebody has listened.
        var number: Int?

        @discardableResult
        mutating func add(_ kind: RequestEvent.Kind, at time: TimeInterval) -> RequestEvent {
            // A request that is retried for days must not grow for ever: the beginning and the end tell the story.
            if events.count >= 1000 { events.removeSubrange(500..<600) }
            let event = RequestEvent(time: time - start, kind: kind)
            events.append(event)
            return event
        }

        mutating func completeHandler(_ decision: Bool?, _ duration: TimeInterval) -> RequestEvent? {
            // Handlers of one request never overlap: the last one recorded is the one that has just run.
            let last = events.lastIndex { if case .handler = $0.kind { true } else { false } }
            guard let index = last, case .handler(var run) = events[index].kind else { return nil }
            run.decision = decision
            run.duration = duration
            events[index].kind = .handler(run)
            return events[index]
        }
    }

    private let state = Locked(State())

    var events: [RequestEvent] { state.withLock { $0.events } }

    /// Read outside of the lock: it may be a user's.
    private var clock: any RequestClock { state.withLock { $0.clock } }

    /// Forgets all; called when a request is executed afresh.
    func restart(clock: any RequestClock) {
        let now = clock.now
        state.withLock { state in
            state = State(clock: clock, start: now, observer: state.observer, number: state.number)
            state.events.reserveCapacity(6)
        }
    }

    func record(_ kind: RequestEvent.Kind) { record(kind, at: clock.now) }

    private func record(_ kind: RequestEvent.Kind, at time: TimeInterval) {
        let (event, observer, watcher) = state.withLock { state in
            (state.add(kind, at: time), state.observer, state.watcher)
        }
        // Of a handler one hears when it has returned.
        if let watcher, !kind.isHandler { watcher.see(event) }
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
        let clock = clock
        let start = clock.now
        record(.handler(run), at: start)
        let decision = handler()
        let duration = clock.now - start
        let (event, watcher) = state.withLock { ($0.completeHandler(decision, duration), $0.watcher) }
        if let event { watcher?.see(event) }
    }

    /// Counts an attempt and records that it is sent.
    func recordAttempt(_ head: RequestHead) {
        let now = clock.now
        let (event, observer, watcher) = state.withLock { state in
            state.attempt += 1
            return (state.add(.sent(head, attempt: state.attempt), at: now), state.observer, state.watcher)
        }
        watcher?.see(event)
        observer?(event.kind)
    }

    /// Says that the next attempt is being prepared, by code that may ask for its number.
    func announceAttempt() { state.withLock { $0.announced = $0.attempt + 1 } }

    /// Counts attempts anew for a further page.
    func recordPage(_ number: Int) {
        state.withLock { ($0.attempt, $0.announced) = (0, 0) }
        record(.page(number: number))
    }

    /// The number of the attempt that was sent last; the one counter of them all.
    var attempt: Int { state.withLock { $0.attempt } }

    /// The number of the attempt that is being prepared, or was sent last.
    var currentAttempt: Int { state.withLock { max($0.attempt, $0.announced) } }
}

extension RequestEvent.Kind {
    fileprivate var isHandler: Bool { if case .handler = self { true } else { false } }
}
