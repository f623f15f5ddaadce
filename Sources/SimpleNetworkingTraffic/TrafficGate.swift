import SimpleNetworkingFeatureSupport

/// Makes a client's requests wait for their turn, which a `TrafficQueue` decides.
final class TrafficGate: ClientService {
    /// Represents a request's permission to be in flight, which the request gives back after its response.
    final class Slot: Sendable {
        let lane: TrafficQueue.Lane
        /// The number of seconds that the request waited for the slot; nil if it didn't wait.
        let waited: TimeInterval?
        fileprivate let number: Int
        /// Nil once the slot was given back.
        private let gate: Locked<TrafficGate?>

        fileprivate init(_ number: Int, in lane: TrafficQueue.Lane, of gate: TrafficGate, waited: TimeInterval?) {
            self.number = number
            self.lane = lane
            self.gate = Locked(gate)
            self.waited = waited
        }

        /// Whether the request must wait again, because the server has refused another one since.
        var isOutdated: Bool { gate.withLock { $0 }?.isClosed(lane) ?? false }

        /// Gives the slot back.
        ///
        /// Only the first call has an effect.
        func giveBack(after end: TrafficQueue.End) {
            gate.take()?.change { $0.queue.leave(number, of: lane, after: end, at: $1) }
        }
    }

    /// Determines when a request is sent.
    struct Turn: Sendable {
        let priority: RequestPriority
        /// The time when the request was executed.
        let since: TimeInterval
        /// Whether the request has had a slot before, so that a full queue doesn't refuse it.
        let isAgain: Bool
    }

    fileprivate struct State {
        var queue: TrafficQueue
        var lastNumber = 0
        var turns: [Int: FirstResult<Void>] = [:]
        /// The alarm for the time when more requests may be sent even if nothing else happens.
        var alarm: Alarm?
    }

    /// The consequences of a change to the queue.
    fileprivate struct Progress {
        var turns: [FirstResult<Void>] = []
        /// The time when more requests may be sent even if nothing else happens.
        var nextMoment: TimeInterval?
    }

    fileprivate struct Alarm {
        let number: Int
        let time: TimeInterval
        var cancel: (@Sendable () -> Void)?
    }

    private let rules: TrafficRules
    private let clock: any RequestClock
    private let state: Locked<State>

    init(_ rules: TrafficRules, _ clock: any RequestClock) {
        self.rules = rules
        self.clock = clock
        state = Locked(State(queue: TrafficQueue(rules, at: clock.now)))
    }

    /// Whether no request has a slot, or waits for one.
    var isIdle: Bool { state.withLock { $0.turns.isEmpty && $0.queue.isIdle } }

    /// The queue's decision about a new request.
    private enum Arrival {
        case goes
        case waits(FirstResult<Void>, TrafficStep.WaitReason)
        case isRefused
    }

    /// Waits for a slot.
    ///
    /// - Throws: `.queueFull` if too many requests already wait, and `CancellationError`.
    func enter(
        _ lane: TrafficQueue.Lane,
        _ head: RequestHead,
        _ turn: Turn,
        record: (TrafficStep) -> Void
    ) async throws -> Slot {
        let start = clock.now
        let (number, arrival) = arrive(lane, turn, at: start)
        switch arrival {
        case .goes: return Slot(number, in: lane, of: self, waited: nil)
        case .isRefused: throw SimpleNetworkingError.queueFull(limit: rules.maxWaiting, head)
        case .waits(let leave, let reason):
            record(.waits(reason))
            do {
                try await leave.value()
            } catch {
                giveUp(number, lane)
                throw error
            }
            let waited = clock.now - start
            record(.resumed(after: waited))
            return Slot(number, in: lane, of: self, waited: waited)
        }
    }

    /// Waits for the time that a server has named, without a slot, and returns whether that took time.
    func waitForRateLimit(of lane: TrafficQueue.Lane) async throws -> Bool {
        guard rules.respectsRateLimits else { return false }
        var hasWaited = false
        while let seconds = state.withLock({ $0.queue.wait(in: lane, at: clock.now) }) {
            hasWaited = true
            try await clock.sleep(seconds, for: .traffic)
        }
        return hasWaited
    }

    private func isClosed(_ lane: TrafficQueue.Lane) -> Bool {
        let now = clock.now
        return state.withLock { $0.queue.isClosed(lane, at: now) }
    }

    /// Notes what a server says to a request that needed no slot, or that keeps its slot.
    func apply(_ hint: RateLimitHint?, in lane: TrafficQueue.Lane, of slot: Slot?) {
        change { $0.queue.apply(hint, of: slot?.number, in: lane, at: $1) }
    }

    private func arrive(
        _ lane: TrafficQueue.Lane,
        _ turn: Turn,
        at now: TimeInterval
    ) -> (number: Int, Arrival) {
        let leave = FirstResult<Void>()
        let ((number, arrival), progress) = state.withLock { state in
            state.lastNumber += 1
            let number = state.lastNumber
            state.turns[number] = leave
            state.queue.add(number, to: lane, turn.priority, since: turn.since, at: now)
            let reason = state.reason(lane, turn.priority, at: now)
            let progress = state.advance(at: now)
            guard state.queue.isWaiting(number) else { return ((number, Arrival.goes), progress) }
            guard state.queue.waitingCount > rules.maxWaiting, !turn.isAgain else {
                return ((number, .waits(leave, reason)), progress)
            }
            state.queue.cancel(number, at: now)
            state.turns[number] = nil
            return ((number, .isRefused), progress)
        }
        follow(progress, now)
        return (number, arrival)
    }

    /// Removes a waiting request, or gives its slot back if the request has just received a slot.
    private func giveUp(_ number: Int, _ lane: TrafficQueue.Lane) {
        change { state, now in
            state.turns[number] = nil
            if state.queue.isWaiting(number) {
                state.queue.cancel(number, at: now)
            } else {
                state.queue.leave(number, of: lane, after: .unsent, at: now)
            }
        }
    }

    private func change(_ body: (inout State, TimeInterval) -> Void) {
        let now = clock.now
        let progress = state.withLock { state in
            body(&state, now)
            return state.advance(at: now)
        }
        follow(progress, now)
    }

    /// Resumes the requests that may be sent, and sets the alarm for the next request.
    private func follow(_ progress: Progress, _ now: TimeInterval) {
        for turn in progress.turns { turn.finish(.success(())) }
        if let moment = progress.nextMoment { ring(at: moment, now) }
    }

    /// Sets the alarm, unless an alarm is already set for that time or earlier.
    private func ring(at time: TimeInterval, _ now: TimeInterval) {
        // Noted before it is set, because it may ring immediately.
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
            change { state, _ in if state.alarm?.number == number { state.alarm = nil } }
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
    /// Takes all requests that may be sent now.
    fileprivate mutating func advance(at now: TimeInterval) -> TrafficGate.Progress {
        var progress = TrafficGate.Progress()
        while let number = queue.takeNext(at: now) {
            if let turn = turns.removeValue(forKey: number) { progress.turns.append(turn) }
        }
        progress.nextMoment = queue.nextMoment
        return progress
    }

    /// Returns why a new request would have to wait.
    fileprivate func reason(
        _ lane: TrafficQueue.Lane,
        _ priority: RequestPriority,
        at now: TimeInterval
    ) -> TrafficStep.WaitReason {
        if let seconds = queue.wait(in: lane, at: now) { return .serverLimit(seconds) }
        return .turn(position: queue.position(of: priority), of: queue.waitingCount)
    }
}
