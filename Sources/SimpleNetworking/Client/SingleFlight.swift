extension SimpleNetworking {
    /// Shares one refresh of a credential among all refused requests of a client.
    ///
    /// The client's lock guards it, so that no request reads a credential together with the mark of another.
    struct SingleFlight: Sendable {
        /// Whether the current code refreshes the credential: its own requests must not wait for themselves.
        @TaskLocal
        static var isRefreshing = false

        fileprivate let client: Locked<State>

        var isRefreshing: Bool { client.withLock { $0.flight.isRefreshing } }

        /// Lets a new request refresh again after a failure.
        func forgetFailure() { change { $0.forgetFailure() } }

        func stamp(isNew: Bool) -> Int { change { $0.stamp(isNew: isNew) } }

        /// Handles the refusal of an attempt, and returns the caller's part.
        ///
        /// `waiter` is called once, with the new generation or an error, on any thread, perhaps before this returns;
        /// `refresh` is called at once if the caller is to refresh.
        @discardableResult
        func recover(
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
            return change { $0.join { race.finish($0) } } ? race : nil
        }

        /// Notes the current identity, and returns the number of its account.
        ///
        /// All waiting requests of an earlier user end.
        func note(_ identity: String?) -> Int {
            let (account, former) = change { flight in
                let former = flight.note(identity) ? flight.changeAccount() : nil
                return (flight.account, former)
            }
            former?.signOut()
            return account
        }

        private func finish(_ flight: Int, _ error: (any Error)?) {
            let (waiters, result) = change { $0.finish(flight: flight, error) }
            for waiter in waiters { waiter(result) }
        }

        private func change<Result>(_ body: (inout FlightState) -> Result) -> Result {
            let (result, former) = client.withLock { client in
                let former = client.flight.phase
                return (body(&client.flight), former)
            }
            // Outside the lock: this may release a user's error.
            withExtendedLifetime(former) {}
            return result
        }
    }

    var flight: SingleFlight { SingleFlight(client: state) }
}
