/// Lets a client's requests wait for their turn; a `TrafficQueue` decides.
final class TrafficGate: Sendable {
    /// A request's leave to be sent, to be given back once its response has come.
    struct Place: Sendable {
        let lane: TrafficQueue.Lane
        /// Whether it was waited for, and how many seconds.
        let hasWaited: Bool
        let waited: TimeInterval
    }

    /// What decides when a request goes.
    struct Turn: Sendable {
        let priority: RequestPriority
        /// When it was executed.
        let since: TimeInterval
    }

    fileprivate struct State {
        var queue: TrafficQueue
        var lastNumber = 0
        var turns: [Int: FirstResult<Void>] = [:]
        /// When the alarm rings that lets requests go on though nothing has happened.
        var alarm: Alarm?
    }

    fileprivate struct Alarm {
        let number: Int
        let time: TimeInterval
        var cancel: (@Sendable () -> Void)?
    }

    private let clock: any RequestClock
    private let state = Locked(State(queue: TrafficQueue(TrafficRules())))

    init(_ clock: any RequestClock) { self.clock = clock }

    /// Whether no request has a place, or waits for one.
    var isIdle: Bool { state.withLock { $0.turns.isEmpty && $0.queue.isIdle } }

    /// What became of a request that came.
    private enum Arrival {
        case goes
        case waits(number: Int, FirstResult<Void>, RequestEvent.WaitReason)
        case isRefused
    }

    /// Waits for a place.
    ///
    /// - Throws: `.queueFull` if too many wait already, and `CancellationError`.
    func enter(
        _ lane: TrafficQueue.Lane,
        _ head: RequestHead,
        _ rules: TrafficRules,
        _ turn: Turn,
        record: (RequestEvent.Kind) -> Void
    ) async throws -> Place {
        let start = clock.now
        switch arrive(lane, rules, turn, at: start) {
        case .goes: return Place(lane: lane, hasWaited: false, waited: 0)
        case .isRefused: throw SimpleNetworkingError.queueFull(limit: rules.maxWaiting, head)
        case .waits(let number, let leave, let reason):
            record(.waits(reason))
            do {
                try await leave.value()
            } catch {
                giveUp(number, lane)
                throw error
            }
            let waited = clock.now - start
            record(.goesOn(after: waited))
            return Place(lane: lane, hasWaited: true, waited: waited)
        }
    }

    /// Gives a place back, with what the response says; nil if there was none.
    func leave(_ place: Place, after word: ServerWord?, hasResponse: Bool) {
        change { queue, now in
            if hasResponse { queue.note(word, in: place.lane, at: now) }
            queue.leave(place.lane, at: now)
        }
    }

    private func arrive(
        _ lane: TrafficQueue.Lane,
        _ rules: TrafficRules,
        _ turn: Turn,
        at now: TimeInterval
    ) -> Arrival {
        let leave = FirstResult<Void>()
        let (number, reason) = state.withLock { state in
            state.lastNumber += 1
            let number = state.lastNumber
            state.turns[number] = leave
            state.queue.follow(rules, at: now)
            state.queue.add(number, to: lane, turn.priority, since: turn.since, at: now)
            return (number, state.reason(lane, turn.priority, at: now))
        }
        advance()
        return state.withLock { state in
            guard state.queue.isWaiting(number) else { return .goes }
            guard state.queue.waitingCount > rules.maxWaiting else { return .waits(number: number, leave, reason) }
            state.queue.cancel(number, at: now)
            state.turns[number] = nil
            return .isRefused
        }
    }

    /// Forgets a request that waits, or gives its place back if it has just got one.
    private func giveUp(_ number: Int, _ lane: TrafficQueue.Lane) {
        change { queue, now in
            if queue.isWaiting(number) { queue.cancel(number, at: now) } else { queue.leave(lane, at: now) }
        }
        state.withLock { $0.turns[number] = nil }
    }

    private func change(_ body: (inout TrafficQueue, TimeInterval) -> Void) {
        let now = clock.now
        state.withLock { body(&$0.queue, now) }
        advance()
    }

    /// Lets all go on that may be sent now.
    private func advance() {
        let now = clock.now
        let (turns, moment) = state.withLock { state in
            var turns: [FirstResult<Void>] = []
            while let number = state.queue.takeNext(at: now) {
                if let turn = state.turns.removeValue(forKey: number) { turns.append(turn) }
            }
            return (turns, state.queue.nextMoment(at: now))
        }
        for turn in turns { turn.finish(.success(())) }
        if let moment { ring(at: moment, now) }
    }

    /// Sets the alarm, unless it rings in time.
    private func ring(at time: TimeInterval, _ now: TimeInterval) {
        // Before it is set: it may ring at once.
        let (number, former) = state.withLock { state -> (Int?, Alarm?) in
            if let alarm = state.alarm, alarm.time <= time { return (nil, nil) }
            state.lastNumber += 1
            let former = state.alarm
            state.alarm = Alarm(number: state.lastNumber, time: time)
            return (state.lastNumber, former)
        }
        former?.cancel?()
        guard let number else { return }
        let cancel = clock.schedule(after: max(time - now, 0), for: .traffic) { [weak self] in
            guard let self else { return }
            state.withLock { if $0.alarm?.number == number { $0.alarm = nil } }
            advance()
        }
        let isKept = state.withLock { state in
            guard state.alarm?.number == number else { return false }
            state.alarm?.cancel = cancel
            return true
        }
        if !isKept { cancel() }
    }
}

extension TrafficGate.State {
    /// What a request that has just come waits for, should it have to.
    fileprivate func reason(
        _ lane: TrafficQueue.Lane,
        _ priority: RequestPriority,
        at now: TimeInterval
    ) -> RequestEvent.WaitReason {
        if let seconds = queue.wait(in: lane, at: now) { return .serverLimit(seconds) }
        return .turn(position: queue.position(of: priority), of: queue.waitingCount)
    }
}
