/// Collects what happens to one request, in order.
struct EventLog: Sendable {
    private struct State {
        var events: [RequestEvent] = []
        var clock: any RequestClock = SystemClock()
        var start: TimeInterval = 0
        var attempt = 0
        var observer: (@Sendable (RequestEvent.Kind) -> Void)?
    }

    private let state = Locked(State())

    var events: [RequestEvent] { state.withLock { $0.events } }

    var now: TimeInterval { state.withLock { $0.clock }.now }

    /// Forgets all; called when a request is executed afresh.
    func restart(clock: any RequestClock) {
        let now = clock.now
        state.withLock { state in
            state = State(clock: clock, start: now, observer: state.observer)
            state.events.reserveCapacity(6)
        }
    }

    func record(_ kind: RequestEvent.Kind) {
        let now = now
        let observer = state.withLock { state in
            // A request that is retried for days must not grow for ever: the beginning and the end tell the story.
            if state.events.count >= 1000 { state.events.removeSubrange(500..<600) }
            state.events.append(RequestEvent(time: now - state.start, kind: kind))
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
        let start = now
        record(.handler(run))
        var run = run
        run.decision = handler()
        run.duration = now - start
        state.withLock { state in
            for index in state.events.indices.reversed() {
                // Handlers of one request never overlap: the last one recorded is the one that has just run.
                guard case .handler = state.events[index].kind else { continue }
                state.events[index].kind = .handler(run)
                break
            }
        }
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
