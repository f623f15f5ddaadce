/// Collects what happens to one request, in order.
struct EventLog: Sendable {
    private struct State {
        var events: [RequestEvent] = []
        var clock: any RequestClock = SystemClock()
        var start: TimeInterval = 0
        var attempt = 0
        var observer: (@Sendable (RequestEvent.Kind) -> Void)?

        mutating func add(_ kind: RequestEvent.Kind, at time: TimeInterval) {
            // A request that is retried for days must not grow for ever: the beginning and the end tell the story.
            if events.count >= 1000 { events.removeSubrange(500..<600) }
            events.append(RequestEvent(time: time - start, kind: kind))
        }

        mutating func completeHandler(_ decision: Bool?, _ duration: TimeInterval) {
            for index in events.indices.reversed() {
                // Handlers of one request never overlap: the last one recorded is the one that has just run.
                guard case .handler(var run) = events[index].kind else { continue }
                run.decision = decision
                run.duration = duration
                events[index].kind = .handler(run)
                break
            }
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
            state = State(clock: clock, start: now, observer: state.observer)
            state.events.reserveCapacity(6)
        }
    }

    func record(_ kind: RequestEvent.Kind) { record(kind, at: clock.now) }

    private func record(_ kind: RequestEvent.Kind, at time: TimeInterval) {
        let observer = state.withLock { state in
            state.add(kind, at: time)
            return state.observer
        }
        observer?(kind)
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
        state.withLock { $0.completeHandler(decision, duration) }
    }

    /// Counts an attempt and records that it is sent.
    func recordAttempt(_ head: RequestHead) {
        let now = clock.now
        let (attempt, observer) = state.withLock { state in
            state.attempt += 1
            state.add(.sent(head, attempt: state.attempt), at: now)
            return (state.attempt, state.observer)
        }
        observer?(.sent(head, attempt: attempt))
    }

    /// The number of the attempt that runs or ran last.
    var attempt: Int { state.withLock { $0.attempt } }
}
