extension SimpleNetworking {
    /// Shares one refresh of a credential among all refused requests of a client.
    ///
    /// The client's lock guards it, so that no request reads a credential together with the mark of another.
    struct SingleFlight: Sendable {
        /// The refreshes that the current code belongs to.
        @TaskLocal private static var refreshes: [(client: ObjectIdentifier, flight: Int)] = []

        fileprivate let client: Locked<State>

        var isRefreshing: Bool { client.withLock { $0.flight.isRefreshing } }

        /// Whether the current code belongs to a refresh of this client: its requests must not wait for themselves.
        ///
        /// A task that a refresh started inherits this, and may outlive it.
        var isOwn: Bool {
            let own = Self.refreshes.filter { $0.client == client.identity }.map(\.flight)
            return !own.isEmpty && client.withLock { $0.flight.isRunning(own) }
        }

        /// Lets a new request refresh again after a failure.
        func forgetFailure() { change { $0.forgetFailure() } }

        func stamp(isNew: Bool) -> (stamp: Int, ticket: Int) { change { $0.stamp(isNew: isNew) } }

        /// Handles the refusal of an attempt, and returns the caller's part.
        ///
        /// `waiter` is called once, with the new generation or an error, on any thread, perhaps before this returns;
        /// `refresh` is called at once if the caller is to refresh.
        @discardableResult func recover(
            from stamp: Int,
            clock: any RequestClock,
            limit: TimeInterval,
            waiter: @escaping FlightState.Waiter,
            refresh: (RefreshCompletion) -> Void
        ) -> RefreshStep {
            switch change({ $0.refuse(stamp: stamp, waiter: waiter) }) {
            case .resend(let generation):
                waiter(.success(generation))
                return .superseded
            case .fail(let error):
                waiter(.failure(error))
                return .failed
            case .wait: return .joined
            case .refresh(let flight):
                let cancelTimer = clock.schedule(after: limit, for: .refresh) {
                    tell(change { $0.endWait(flight: flight, RefreshFailure.timedOut(limit)) })
                }
                let completion = RefreshCompletion { error in
                    cancelTimer()
                    tell(change { $0.finish(flight: flight, error) })
                }
                let refreshes = Self.refreshes + [(client.identity, flight)]
                Self.$refreshes.withValue(refreshes) { refresh(completion) }
                return .started
            }
        }

        /// Returns a race that ends with the current refresh, or nil if there is none.
        func join() -> Race<Int>? {
            let race = Race<Int>()
            return change { $0.join { race.finish($0) } } ? race : nil
        }

        /// Notes the identity that was asked for with this ticket, and returns its account; ends an earlier user's wait.
        func note(_ identity: String?, ticket: Int) -> Int? {
            let (account, former) = change { $0.note(identity, ticket: ticket) }
            former?.signOut()
            return account
        }

        private func tell(_ end: (waiters: [FlightState.Waiter], result: Result<Int, any Error>)) {
            for waiter in end.waiters { waiter(end.result) }
        }

        private func change<Result>(_ body: (inout FlightState) -> Result) -> Result {
            client.change { body(&$0.flight) }
        }
    }

    var flight: SingleFlight { SingleFlight(client: state) }
}
