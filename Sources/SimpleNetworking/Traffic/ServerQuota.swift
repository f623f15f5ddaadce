/// How many requests a server still takes, by its own word.
///
/// A pure value. Where the server has said that there are too many, nothing is sent until the time that it named; then one
/// request is sent to see, and the others follow when its response has come. Requests have numbers, since responses to
/// those that were sent before may still come, and open nothing.
struct ServerQuota {
    private enum Phase: Equatable {
        case open
        /// So many more until that time; `lowest` is the smallest number that the server has named for it.
        case counted(remaining: Int, lowest: Int, until: TimeInterval)
        /// None until that time, and one then.
        case closed(until: TimeInterval)
        /// One request was sent to see.
        case probing(number: Int)
    }

    private var phase = Phase.open

    /// Whether nothing that the server has said counts any more.
    func isOver(at now: TimeInterval) -> Bool {
        switch phase {
        case .open: true
        case .counted(_, _, let until): now >= until
        // The next request is to be sent alone.
        case .closed, .probing: false
        }
    }

    /// When it opens; nil if nothing but a response can open it, or it is open.
    var opening: TimeInterval? {
        switch phase {
        case .closed(let until), .counted(remaining: 0, _, let until): until
        case .open, .counted, .probing: nil
        }
    }

    func maySend(at now: TimeInterval) -> Bool {
        switch phase {
        case .open: true
        case .counted(let remaining, _, let until): remaining > 0 || now >= until
        case .closed(let until): now >= until
        case .probing: false
        }
    }

    /// Notes that a request is sent.
    mutating func send(_ number: Int, at now: TimeInterval) {
        switch phase {
        case .counted(_, _, let until) where now >= until: phase = .open
        case .counted(let remaining, let lowest, let until):
            phase = .counted(remaining: remaining - 1, lowest: lowest, until: until)
        case .closed: phase = .probing(number: number)
        case .open, .probing: break
        }
    }

    /// Notes a request's response while `others` are in flight, which the server may not have counted yet.
    ///
    /// It closes for `most` seconds at most.
    mutating func note(_ word: ServerWord?, of number: Int, at now: TimeInterval, others: Int, most: TimeInterval) {
        switch word {
        case .wait(let seconds), .remaining(0, let seconds): close(until: now + min(seconds, most), by: number, at: now)
        case .remaining(let count, let seconds):
            guard mayOpen(number) else { return }
            let lowest = min(count, lowest(until: now + seconds) ?? count)
            phase = .counted(remaining: max(lowest - others, 0), lowest: lowest, until: now + seconds)
        case nil: if isProbe(number) { phase = .open }
        }
    }

    /// Notes that a request has ended; if it was sent to see, and has no response, the next one is.
    mutating func end(_ number: Int, at now: TimeInterval) {
        if isProbe(number) { phase = .closed(until: now) }
    }

    private mutating func close(until time: TimeInterval, by number: Int, at now: TimeInterval) {
        switch phase {
        case .closed(let former) where former > time: return
        // The one that was sent to see knows better.
        case .probing where !isProbe(number) && time <= now: return
        default: phase = .closed(until: time)
        }
    }

    private func isProbe(_ number: Int) -> Bool { phase == .probing(number: number) }

    /// Whether a response can open what is closed: it cannot if its request was sent before.
    private func mayOpen(_ number: Int) -> Bool {
        switch phase {
        case .open, .counted: true
        case .closed: false
        case .probing: isProbe(number)
        }
    }

    /// The smallest number of the same time span: responses may overtake each other.
    private func lowest(until time: TimeInterval) -> Int? {
        guard case .counted(_, let lowest, let until) = phase, abs(until - time) <= 1 else { return nil }
        return lowest
    }
}

/// What a response says about further requests.
enum ServerWord: Equatable {
    /// None may be sent for so many seconds.
    case wait(TimeInterval)
    /// So many may be sent within so many seconds.
    case remaining(Int, within: TimeInterval)
}
