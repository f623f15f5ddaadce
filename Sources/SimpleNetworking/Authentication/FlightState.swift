/// Decides who renews a credential, who waits, and who has come late: a pure state machine, kept under a lock.
///
/// Each attempt carries a stamp, the generation of the credential as it was sent. Whoever is refused with an older stamp
/// just sends again; of those with the current one the first renews, and all others wait for it.
struct FlightState {
    typealias Waiter = @Sendable (Result<Int, any Error>) -> Void

    enum Phase {
        case idle
        case renewing(flight: Int, waiters: [Waiter])
        /// Whoever else was refused with the same credential ends with the same error.
        case failed(any Error)
    }

    enum Action {
        /// There is a newer credential already.
        case goOn(Int)
        /// Somebody else renews.
        case wait
        /// It is the caller's to renew; it waits, too.
        case renew(flight: Int)
        case fail(any Error)
    }

    private(set) var phase = Phase.idle
    /// Changes with each renewal.
    private(set) var generation = 0
    /// Changes when whoever was signed in is so no longer.
    private(set) var account = 0
    private var identity: String?
    private var flights = 0

    var isRenewing: Bool { if case .renewing = phase { true } else { false } }

    /// The stamp of an attempt; a new request may try again what has failed.
    mutating func stamp(isNew: Bool) -> Int {
        if isNew, case .failed = phase { phase = .idle }
        return generation
    }

    /// An attempt was refused.
    mutating func refuse(stamp: Int, waiter: @escaping Waiter) -> Action {
        if stamp < generation { return .goOn(generation) }
        switch phase {
        case .failed(let error): return .fail(error)
        case .renewing(let flight, let waiters):
            phase = .renewing(flight: flight, waiters: waiters + [waiter])
            return .wait
        case .idle:
            flights += 1
            phase = .renewing(flight: flights, waiters: [waiter])
            return .renew(flight: flights)
        }
    }

    /// Waits for the renewal that runs.
    ///
    /// Says whether there is one.
    mutating func join(_ waiter: @escaping Waiter) -> Bool {
        guard case .renewing(let flight, let waiters) = phase else { return false }
        phase = .renewing(flight: flight, waiters: waiters + [waiter])
        return true
    }

    /// A renewal has ended; gives those who wait for it, and what they get.
    mutating func land(flight: Int, _ error: (any Error)?) -> ([Waiter], Result<Int, any Error>) {
        guard case .renewing(flight, let waiters) = phase else {
            // Too late for those who waited, but what it brought counts for all that are refused from now on.
            if error == nil, !isRenewing, flight == flights { generation += 1 }
            return ([], .success(generation))
        }
        if let error {
            phase = .failed(error)
            return (waiters, .failure(error))
        }
        phase = .idle
        generation += 1
        return (waiters, .success(generation))
    }

    /// Whoever was signed in is so no longer; gives those who wait.
    mutating func leaveAccount() -> [Waiter] {
        account += 1
        generation += 1
        flights += 1
        defer { phase = .idle }
        if case .renewing(_, let waiters) = phase { return waiters }
        return []
    }

    /// Says whether somebody else than before is signed in, or nobody any more.
    mutating func note(_ identity: String?) -> Bool {
        defer { self.identity = identity }
        return self.identity != nil && self.identity != identity
    }
}
