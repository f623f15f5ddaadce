/// Ends a transfer that hasn't moved for its idle timeout, over a transport that doesn't see to that.
///
/// What moves is seen from outside: parts of the response, and reports of progress. The time in which the request's own
/// code takes a part, or makes a piece of its content, doesn't count.
final class IdleLimit: Sendable {
    private struct State {
        var cancelAlarm: (@Sendable () -> Void)?
        /// Counts the calls of `restart()`: an alarm that is set late must not take the place of a later one.
        var restarts = 0
        /// The call that has set the alarm.
        var current = 0
        /// Whether something has moved, or can be seen to.
        var hasBegun = false
        /// How many parts the request's own code takes or makes.
        var ownParts = 0
        var hasEnded = false

        var counts: Bool { !hasEnded && ownParts == 0 }
    }

    private let seconds: TimeInterval
    private let clock: any RequestClock
    private let expire: @Sendable () -> Void
    private let state = Locked(State())

    init(_ seconds: TimeInterval, _ clock: any RequestClock, expire: @escaping @Sendable () -> Void) {
        self.seconds = seconds
        self.clock = clock
        self.expire = expire
    }

    /// Returns the request for the transport, whose parts and reports are seen.
    func watching(_ request: TransportRequest) -> TransportRequest {
        var watched = request
        if case .stream(let receive) = request.sink {
            watched.sink = .stream { [self] part in
                beginOwnPart()
                defer {
                    _ = endOwnPart()
                    restart()
                }
                try await receive(part)
            }
        }
        if case .chunks(let length, let chunks) = request.body {
            watched.body = .chunks(
                length: length,
                chunks.telling(beginning: beginOwnPart) { [self] in
                    // What is sent of it may not be seen.
                    if endOwnPart() { restart() }
                }
            )
        }
        watched.progress = { [self, report = request.progress] progress in
            restart()
            report?(progress)
        }
        return watched
    }

    @Sendable private func beginOwnPart() { stop { $0.ownParts += 1 } }

    /// Returns whether anything was counted before.
    private func endOwnPart() -> Bool {
        state.withLock { state in
            state.ownParts -= 1
            return state.hasBegun
        }
    }

    /// Counts from now on, unless the request's own code has a part: progress meanwhile says nothing of its time.
    func restart() {
        let number = state.withLock { state in
            state.hasBegun = true
            state.restarts += 1
            return state.restarts
        }
        let cancelAlarm = clock.schedule(after: seconds, for: .timeout, expire)
        let outdated: (@Sendable () -> Void)? = state.withLock { state in
            guard state.counts, number > state.current else { return cancelAlarm }
            defer { state.cancelAlarm = cancelAlarm }
            state.current = number
            return state.cancelAlarm
        }
        outdated?()
    }

    func end() { stop { $0.hasEnded = true } }

    private func stop(_ change: (inout State) -> Void) {
        let outdated = state.withLock { state in
            change(&state)
            defer { state.cancelAlarm = nil }
            return state.cancelAlarm
        }
        outdated?()
    }
}

extension TransportRequest {
    /// Whether all that moves is seen from outside, from the beginning on: the sending of long content is not.
    var movesVisibly: Bool {
        guard case .stream = sink else { return false }
        switch body {
        case .none, .data: return true
        case .file, .stream, .chunks: return false
        }
    }
}
