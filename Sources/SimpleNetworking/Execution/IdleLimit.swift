/// Ends a transfer that hasn't moved for its idle timeout, over a transport that doesn't see to that.
///
/// What moves is seen from outside: parts of the response, and reports of progress. The time in which the request's own
/// reader takes a part doesn't count.
final class IdleLimit: Sendable {
    private struct State {
        var cancelAlarm: (@Sendable () -> Void)?
        /// How many parts the reader is taking.
        var takers = 0
        var hasEnded = false

        var counts: Bool { !hasEnded && takers == 0 }
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
                stop { $0.takers += 1 }
                defer {
                    state.withLock { $0.takers -= 1 }
                    restart()
                }
                try await receive(part)
            }
        }
        watched.progress = { [self, report = request.progress] progress in
            restart()
            report?(progress)
        }
        return watched
    }

    /// Counts from now on, unless the reader is taking a part: progress meanwhile says nothing of its time.
    func restart() {
        let cancelAlarm = clock.schedule(after: seconds, for: .timeout, expire)
        let outdated: (@Sendable () -> Void)? = state.withLock { state in
            guard state.counts else { return cancelAlarm }
            defer { state.cancelAlarm = cancelAlarm }
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
