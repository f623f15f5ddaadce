/// How many requests a server still takes, by its own word.
///
/// A pure value. Where the server has said that there are too many, nothing is sent until the time that it named; then one
/// request is sent to see, and the others follow when its response has come. Requests have numbers, since responses to
/// those that were sent before may still come, and open nothing.
struct ServerQuota {
    private enum Phase: Equatable {
        case open
        case counted(Count)
        /// None until that time, and one then.
        case closed(until: TimeInterval)
        /// One request was sent to see.
        case probing(number: Int)
    }

    private struct Count: Equatable {
        /// How many more may be sent.
        var remaining: Int
        /// The smallest number that the server has named for this time span.
        let lowest: Int
        /// The end of the time span.
        let until: TimeInterval
        /// When one is sent to see, if none remains.
        var opening: TimeInterval
    }

    private var phase = Phase.open

    /// Whether nothing that the server has said counts any more.
    func isOver(at now: TimeInterval) -> Bool {
        switch phase {
        case .open: true
        case .counted(let count): now >= count.until
        // The next request is to be sent alone.
        case .closed, .probing: false
        }
    }

    /// When it opens; nil if nothing but a response can open it, or it is open.
    var opening: TimeInterval? {
        switch phase {
        case .closed(let until): until
        case .counted(let count) where count.remaining == 0: count.opening
        case .open, .counted, .probing: nil
        }
    }

    func maySend(at now: TimeInterval) -> Bool {
        switch phase {
        case .open: true
        case .counted(let count): count.remaining > 0 || now >= count.opening
        case .closed(let until): now >= until
        case .probing: false
        }
    }

    /// Notes that a request is sent; if it is the last one, it closes for `most` seconds at most.
    mutating func send(_ number: Int, at now: TimeInterval, most: TimeInterval) {
        switch phase {
        case .counted(let count) where count.remaining == 0: phase = .probing(number: number)
        case .counted(let count) where now >= count.until: phase = .open
        case .counted(var count):
            count.remaining -= 1
            count.opening = min(count.until, now + most)
            phase = .counted(count)
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
            let until = now + seconds
            let lowest = min(count, lowest(until: until) ?? count)
            let opening = now + min(seconds, most)
            phase = .counted(Count(remaining: max(lowest - others, 0), lowest: lowest, until: until, opening: opening))
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
        guard case .counted(let count) = phase, abs(count.until - time) <= 1 else { return nil }
        return count.lowest
    }
}

/// What a response says about further requests.
enum ServerWord: Equatable {
    /// None may be sent for so many seconds.
    case wait(TimeInterval)
    /// So many may be sent within so many seconds.
    case remaining(Int, within: TimeInterval)
}
