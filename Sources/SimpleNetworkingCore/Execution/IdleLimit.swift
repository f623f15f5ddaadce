import SimpleNetworkingSupport

/// Ends a transfer that exceeds its idle timeout, for a transport that doesn't enforce it.
///
/// The limit detects progress from outside, by parts of the response and by progress reports. The time that the
/// request's own code takes to process a part, or to produce a piece of content, doesn't count. The time for which the
/// request is suspended doesn't count, either.
final class IdleLimit: Sendable {
    private struct State {
        var cancelAlarm: (@Sendable () -> Void)?
        /// The number of calls to `restart()`.
        ///
        /// An alarm that is set late must not replace a newer alarm.
        var restarts = 0
        /// The number of the call that set the alarm.
        var current = 0
        /// Whether progress was made, or can be detected.
        var hasBegun = false
        /// The number of parts that the request's own code is processing or producing.
        var ownParts = 0
        /// Whether the request was suspended since the alarm was set.
        var wasSuspended = false
        var hasEnded = false

        var counts: Bool { !hasEnded && ownParts == 0 }
    }

    private let seconds: TimeInterval
    private let clock: any RequestClock
    private let suspension: Suspension?
    /// Whether the limit applies only until the response's head arrives.
    private let endsAtHead: Bool
    private let expire: @Sendable () -> Void
    private let state = Locked(State())

    init(
        _ seconds: TimeInterval,
        _ clock: any RequestClock,
        _ suspension: Suspension? = nil,
        endsAtHead: Bool = false,
        expire: @escaping @Sendable () -> Void
    ) {
        self.seconds = seconds
        self.clock = clock
        self.suspension = suspension
        self.endsAtHead = endsAtHead
        self.expire = expire
        // The request's clock is user code, which must not be called here.
        suspension?.observe(as: key) { [weak self] isSuspended in
            if isSuspended { self?.state.withLock { $0.wasSuspended = true } }
        }
    }

    /// Returns the request for the transport, with its parts and reports observed.
    func watching(_ request: TransportRequest) -> TransportRequest {
        var watched = request
        if case .stream(let receive) = request.sink {
            watched.sink = .stream { [self] part in
                if endsAtHead, case .head = part { end() }
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
                    // The sending of the part may not be detected.
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

    /// Ends the processing or producing of a part, and returns whether the time was counted before.
    private func endOwnPart() -> Bool {
        state.withLock { state in
            state.ownParts -= 1
            return state.hasBegun
        }
    }

    /// Restarts the limit, unless the request's own code is processing or producing a part.
    func restart() {
        let number: Int? = state.withLock { state in
            state.hasBegun = true
            state.wasSuspended = suspension?.isSuspended ?? false
            state.restarts += 1
            return state.hasEnded ? nil : state.restarts
        }
        guard let number else { return }
        let cancelAlarm = clock.schedule(after: seconds, for: .timeout) { [self] in ring() }
        let outdated: (@Sendable () -> Void)? = state.withLock { state in
            guard state.counts, number > state.current else { return cancelAlarm }
            defer { state.cancelAlarm = cancelAlarm }
            state.current = number
            return state.cancelAlarm
        }
        outdated?()
    }

    func end() {
        suspension?.forget(key)
        stop { $0.hasEnded = true }
    }

    /// Ends the transfer, or starts the limit again if the request was suspended in the meantime.
    private func ring() {
        let isExcused = state.withLock { state in
            defer { state.wasSuspended = suspension?.isSuspended ?? false }
            return state.wasSuspended
        }
        if isExcused { restart() } else { expire() }
    }

    private var key: UInt { UInt(bitPattern: ObjectIdentifier(self)) }

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
    /// Whether all progress is detected from the beginning.
    ///
    /// The sending of long content is not detected.
    var movesVisibly: Bool {
        guard case .stream = sink else { return false }
        switch body {
        case .none, .data: return true
        case .file, .stream, .chunks: return false
        }
    }
}
