import SimpleNetworkingFeatureSupport

/// Tracks the number of further requests that a server accepts, as stated in its responses.
///
/// The quota is a pure value. After the server has reported too many requests, no request is sent until the time that
/// the server specified. Then one request is sent as a probe, and the others follow after its response. Requests have
/// numbers, because responses to requests sent earlier may still arrive, and must not end the wait.
struct ServerQuota {
    private enum Phase: Equatable {
        case open
        case counted(Count)
        /// No request is sent until this time. Then one request is sent.
        case closed(until: TimeInterval)
        /// One request was sent as a probe.
        case probing(number: Int)
    }

    private struct Count: Equatable {
        /// The number of requests that may still be sent; negative if too many are in flight.
        var remaining: Int
        /// The smallest number that the server has stated for this window.
        let lowest: Int
        /// The end of the window.
        let until: TimeInterval
        /// The time when a probe is sent if no request remains.
        var opening: TimeInterval
    }

    private var phase = Phase.open

    /// Returns whether none of the server's statements still applies.
    func isOver(at now: TimeInterval) -> Bool {
        switch phase {
        case .open: true
        case .counted(let count): now >= count.until
        // The next request is a probe.
        case .closed, .probing: false
        }
    }

    /// The time when the wait ends; nil if there is no wait, or if only a response can end it.
    var opening: TimeInterval? {
        switch phase {
        case .closed(let until): until
        case .counted(let count) where count.remaining <= 0: count.opening
        case .open, .counted, .probing: nil
        }
    }

    /// Whether the server has said that no request may be sent yet, which also holds back a request that has a slot.
    func isClosed(at now: TimeInterval) -> Bool {
        if case .closed(let until) = phase { now < until } else { false }
    }

    func maySend(at now: TimeInterval) -> Bool {
        switch phase {
        case .open: true
        case .counted(let count): count.remaining > 0 || now >= count.opening
        case .closed(let until): now >= until
        case .probing: false
        }
    }

    /// Notes that a request is sent.
    ///
    /// After the last permitted request, the wait is at most `most` seconds.
    mutating func send(_ number: Int, at now: TimeInterval, most: TimeInterval) {
        switch phase {
        case .counted(let count) where count.remaining <= 0: phase = .probing(number: number)
        case .counted(let count) where now >= count.until: phase = .open
        case .counted(var count):
            count.remaining -= 1
            count.opening = min(count.until, now + most)
            phase = .counted(count)
        case .closed: phase = .probing(number: number)
        case .open, .probing: break
        }
    }

    /// Notes a response.
    ///
    /// `others` is the number of requests in flight that the server might not have counted yet.
    ///
    /// The wait is at most `most` seconds.
    mutating func note(_ hint: RateLimitHint?, of number: Int, at now: TimeInterval, others: Int, most: TimeInterval) {
        switch hint {
        case .wait(let seconds), .remaining(0, let seconds): close(until: now + min(seconds, most), by: number, at: now)
        case .remaining(let count, let seconds):
            guard mayOpen(number) else { return }
            let until = now + seconds
            let lowest = min(count, lowest(until: until) ?? count)
            let opening = now + min(seconds, most)
            phase = .counted(Count(remaining: lowest - others, lowest: lowest, until: until, opening: opening))
        case nil: if isProbe(number) { phase = .open }
        }
    }

    /// Notes that a request has ended.
    ///
    /// If it was a probe and received no response, the next request is a probe.
    mutating func end(_ number: Int, at now: TimeInterval) {
        if isProbe(number) { phase = .closed(until: now) }
    }

    /// Notes that a request was not sent after all.
    mutating func takeBack() {
        guard case .counted(var count) = phase else { return }
        count.remaining = min(count.remaining + 1, count.lowest)
        phase = .counted(count)
    }

    private mutating func close(until time: TimeInterval, by number: Int, at now: TimeInterval) {
        switch phase {
        case .closed(let former) where former > time: return
        // The probe's response will be more recent.
        case .probing where !isProbe(number) && time <= now: return
        default: phase = .closed(until: time)
        }
    }

    private func isProbe(_ number: Int) -> Bool { phase == .probing(number: number) }

    /// Returns whether a response can end the wait, which is false if its request was sent before the wait.
    private func mayOpen(_ number: Int) -> Bool {
        switch phase {
        case .open, .counted: true
        case .closed: false
        case .probing: isProbe(number)
        }
    }

    /// Returns the smallest number stated for the same window, because responses may arrive out of order.
    private func lowest(until time: TimeInterval) -> Int? {
        guard case .counted(let count) = phase, abs(count.until - time) <= 1 else { return nil }
        return count.lowest
    }
}
