/// Lets one renewal of a credential serve all requests that were refused; one per client.
final class SingleFlight: Sendable {
    /// Whether the code that runs now renews the credential: its own requests must not wait for themselves.
    @TaskLocal
    static var isRenewing = false

    private let state = Locked(FlightState())

    var account: Int { state.withLock { $0.account } }
    var isRenewing: Bool { state.withLock { $0.isRenewing } }

    func stamp(isNew: Bool) -> Int { state.withLock { $0.stamp(isNew: isNew) } }

    /// An attempt that carried this stamp was refused.
    ///
    /// - Parameters:
    ///   - stamp: The generation of the credential that was refused.
    ///   - clock: Keeps the limit.
    ///   - limit: Seconds that the renewal may take.
    ///   - waiter: Called once, with the new generation or with the error; on any thread, perhaps before this returns.
    ///   - renew: Called at once if the caller is the one to renew; to be told of the end by way of what it gets.
    /// - Returns: What the caller's part is.
    @discardableResult
    func recover(
        from stamp: Int,
        clock: any RequestClock,
        limit: TimeInterval,
        waiter: @escaping FlightState.Waiter,
        renew: (RenewalCompletion) -> Void
    ) -> RenewalStep {
        switch state.withLock({ $0.refuse(stamp: stamp, waiter: waiter) }) {
        case .goOn(let generation):
            waiter(.success(generation))
            return .outdated
        case .fail(let error):
            waiter(.failure(error))
            return .failed
        case .wait: return .joined
        case .renew(let flight):
            let completion = RenewalCompletion { self.land(flight, $0) }
            let cancelTimer = clock.schedule(after: limit) { [weak completion] in
                completion?(RenewalFailure.timedOut(limit))
            }
            completion.onEnd(cancelTimer)
            Self.$isRenewing.withValue(true) { renew(completion) }
            return .started
        }
    }

    /// Gives what ends with the renewal that runs, or nil if none does.
    func join() -> Race<Int>? {
        let race = Race<Int>()
        return state.withLock { $0.join { race.finish($0) } } ? race : nil
    }

    /// Ends all that wait: whoever was signed in is so no longer.
    func leaveAccount() {
        for waiter in state.withLock({ $0.leaveAccount() }) { waiter(.failure(RenewalFailure.signedOut)) }
    }

    /// Says who is signed in now, and gives the number of the account.
    func note(_ identity: String?) -> Int {
        if state.withLock({ $0.note(identity) }) { leaveAccount() }
        return account
    }

    private func land(_ flight: Int, _ error: (any Error)?) {
        let (waiters, result) = state.withLock { $0.land(flight: flight, error) }
        for waiter in waiters { waiter(result) }
    }
}
