/// Shares one refresh of a credential among all refused requests of a client.
final class SingleFlight: Sendable {
    /// Whether the current code refreshes the credential: its own requests must not wait for themselves.
    @TaskLocal
    static var isRefreshing = false

    private let state = Locked(FlightState())

    var account: Int { state.withLock { $0.account } }
    var isRefreshing: Bool { state.withLock { $0.isRefreshing } }

    /// What an attempt notes of the credential that is current.
    var mark: FlightState.Mark { state.withLock { $0.mark } }

    /// Lets a new request refresh again after a failure.
    func forgetFailure() { state.withLock { $0.forgetFailure() } }

    func stamp(isNew: Bool) -> Int { state.withLock { $0.stamp(isNew: isNew) } }

    /// Handles the refusal of an attempt, and returns the caller's part.
    ///
    /// `waiter` is called once, with the new generation or an error, on any thread, perhaps before this returns; `refresh`
    /// is called at once if the caller is to refresh.
    @discardableResult
    func recover(
        from stamp: Int,
        clock: any RequestClock,
        limit: TimeInterval,
        waiter: @escaping FlightState.Waiter,
        refresh: (RefreshCompletion) -> Void
    ) -> RefreshStep {
        switch state.withLock({ $0.refuse(stamp: stamp, waiter: waiter) }) {
        case .resend(let generation):
            waiter(.success(generation))
            return .superseded
        case .fail(let error):
            waiter(.failure(error))
            return .failed
        case .wait: return .joined
        case .refresh(let flight):
            let completion = RefreshCompletion { self.finish(flight, $0) }
            let cancelTimer = clock.schedule(after: limit, for: .refresh) { [weak completion] in
                completion?(RefreshFailure.timedOut(limit))
            }
            completion.onEnd(cancelTimer)
            Self.$isRefreshing.withValue(true) { refresh(completion) }
            return .started
        }
    }

    /// Returns a race that ends with the current refresh, or nil if there is none.
    func join() -> Race<Int>? {
        let race = Race<Int>()
        return state.withLock { $0.join { race.finish($0) } } ? race : nil
    }

    /// Ends all waiting requests: their user is signed out.
    func changeAccount() {
        for waiter in state.withLock({ $0.changeAccount() }) { waiter(.failure(RefreshFailure.signedOut)) }
    }

    /// Notes the current identity, and returns the number of its account.
    func note(_ identity: String?) -> Int {
        if state.withLock({ $0.note(identity) }) { changeAccount() }
        return account
    }

    private func finish(_ flight: Int, _ error: (any Error)?) {
        let (waiters, result) = state.withLock { $0.finish(flight: flight, error) }
        for waiter in waiters { waiter(result) }
    }
}

/// Decides who refreshes a credential, who waits, and who just sends again: a pure state machine.
///
/// Each attempt carries a stamp, the generation of the credential it was sent with. Attempts refused with an older
/// stamp are sent again at once; of those with the current one, the first refreshes and the others wait.
struct FlightState {
    typealias Waiter = @Sendable (Result<Int, any Error>) -> Void

    enum Phase {
        case idle
        case refreshing(flight: Int, waiters: [Waiter])
        /// Further refusals of the same credential end with the same error.
        case failed(any Error)
    }

    enum Action {
        /// There is a newer credential already.
        case resend(Int)
        case wait
        /// The caller refreshes, and waits as well.
        case refresh(flight: Int)
        case fail(any Error)
    }

    /// The credential as it was at one moment.
    struct Mark {
        let generation: Int
        let account: Int
        let hasFailed: Bool
    }

    private(set) var phase = Phase.idle
    /// Changes with each refresh.
    private(set) var generation = 0
    /// Changes when the user does.
    private(set) var account = 0
    private var identity: String?
    private var flights = 0

    var isRefreshing: Bool { if case .refreshing = phase { true } else { false } }
    private var hasFailed: Bool { if case .failed = phase { true } else { false } }
    var mark: Mark { Mark(generation: generation, account: account, hasFailed: hasFailed) }

    mutating func forgetFailure() { if hasFailed { phase = .idle } }

    /// The stamp of an attempt; a new request may refresh again after a failure.
    mutating func stamp(isNew: Bool) -> Int {
        if isNew { forgetFailure() }
        return generation
    }

    /// Handles the refusal of an attempt.
    mutating func refuse(stamp: Int, waiter: @escaping Waiter) -> Action {
        if stamp < generation { return .resend(generation) }
        switch phase {
        case .failed(let error): return .fail(error)
        case .refreshing(let flight, let waiters):
            phase = .refreshing(flight: flight, waiters: waiters + [waiter])
            return .wait
        case .idle:
            flights += 1
            phase = .refreshing(flight: flights, waiters: [waiter])
            return .refresh(flight: flights)
        }
    }

    /// Adds a waiter to the current refresh, and returns false if there is none.
    mutating func join(_ waiter: @escaping Waiter) -> Bool {
        guard case .refreshing(let flight, let waiters) = phase else { return false }
        phase = .refreshing(flight: flight, waiters: waiters + [waiter])
        return true
    }

    /// Ends a refresh, and returns its waiters and their result.
    mutating func finish(flight: Int, _ error: (any Error)?) -> ([Waiter], Result<Int, any Error>) {
        guard case .refreshing(flight, let waiters) = phase else {
            // Too late for its waiters, but its credential serves requests that are refused from now on.
            if error == nil, !isRefreshing, flight == flights { generation += 1 }
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

    /// Starts a new account, and returns the waiters of the old one.
    mutating func changeAccount() -> [Waiter] {
        account += 1
        generation += 1
        flights += 1
        defer { phase = .idle }
        if case .refreshing(_, let waiters) = phase { return waiters }
        return []
    }

    /// Notes the current identity, and returns whether an earlier user has left.
    mutating func note(_ identity: String?) -> Bool {
        defer { self.identity = identity }
        return self.identity != nil && self.identity != identity
    }
}
