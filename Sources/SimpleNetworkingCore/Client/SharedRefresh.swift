import SimpleNetworkingSupport

extension SimpleNetworking {
    /// Shares one refresh of a credential among all rejected requests of a client.
    ///
    /// The client's lock protects the refresh state, so that no request reads a credential together with another
    /// credential's mark.
    struct SharedRefresh: Sendable {
        /// Describes why a credential can't be used.
        enum Cause {
            /// The credential of this generation has expired.
            case expiry(CredentialGeneration)
            case refusal(CredentialRefusal)
        }

        fileprivate let client: Locked<State>

        var isRefreshing: Bool { client.withLock { $0.refresh.isRefreshing } }

        /// Whether the current code belongs to a refresh of this client.
        ///
        /// Requests that such code makes must not wait for the refresh.
        var isOwn: Bool { isRunning(RefreshScope.current) }

        /// Returns whether any of the client's refreshes in the scope is still running.
        func isRunning(_ scope: RefreshScope) -> Bool { scope.isRunning(of: client.identity) }

        /// Lets a new request refresh again after a failure.
        func forgetFailure() { change { $0.forgetFailure() } }

        /// The cause of a sign-in before the first attempt; after a failure, it may be tried again.
        var signInCause: Cause { .expiry(stamp(isNew: true).generation) }

        func stamp(isNew: Bool) -> RefreshState.Stamp { change { $0.stamp(isNew: isNew) } }

        /// Records that a resource has accepted a credential.
        func accept(_ resource: RefusingResource) { change { $0.accept(resource) } }

        /// Handles an expired or rejected credential, and returns the caller's role in its refresh.
        ///
        /// The result is nil if a refresh wouldn't help, which makes the rejection final.
        ///
        /// `waiter` is called once, on any thread, with the new generation or an error, possibly before this method
        /// returns. `refresh` is called immediately if the caller has to refresh. If the result is nil, neither closure
        /// is called.
        @inline(never)  // Inlined 3 times, it took 5 KB.
        @discardableResult func recover(
            from cause: Cause,
            clock: any RequestClock,
            limit: TimeInterval,
            waiter: @escaping RefreshState.Waiter,
            refresh: (RefreshCompletion) -> Void
        ) -> RequestEvent.RefreshStep? {
            let now = clock.now
            let action = change { state in
                switch cause {
                case .expiry(let stamp): state.recover(from: stamp, waiter: waiter)
                case .refusal(let refusal): state.refuse(refusal, at: now, waiter: waiter)
                }
            }
            switch action {
            case .resend(let generation):
                waiter(.success(generation))
                return .superseded
            case .fail(let error):
                waiter(.failure(error))
                return .failed
            case .wait: return .joined
            case .end: return nil
            case .refresh(let number):
                let cancelTimer = clock.schedule(after: limit, for: .refresh) {
                    tell(change { $0.endWait(number: number, RefreshFailure.timedOut(limit)) })
                }
                let running = RunningRefresh(of: client.identity)
                let completion = RefreshCompletion { error in
                    cancelTimer()
                    running.end(error)
                    tell(change { $0.endWait(number: number, error) })
                }
                RefreshScope.$current.withValue(RefreshScope.current.adding(running)) { refresh(completion) }
                return .started
            }
        }

        /// Returns an object that waits for the end of the current refresh, or nil if no refresh is running.
        func join() -> FirstResult<CredentialGeneration>? {
            let first = FirstResult<CredentialGeneration>()
            return change { $0.join { first.finish($0) } } ? first : nil
        }

        /// Records the identity requested with this ticket, returns its account, and ends an earlier user's wait.
        ///
        /// `setting` identifies the authenticator that provided the identity. If another authenticator has been set
        /// since then, the identity belongs to a former user.
        func note(
            _ identity: String?,
            ticket: RefreshState.Ticket,
            by setting: AuthenticatorSetting?
        ) -> (account: AccountNumber?, begun: CredentialGeneration?) {
            let (account, former, generation) = client.change { state in
                let isFormer = state.settings.configuration.authenticatorSetting !== setting
                let (account, former) = state.refresh.note(identity, ticket: ticket, isFormer: isFormer)
                return (account, former, state.refresh.generation)
            }
            former?.signOut()
            return (account, former == nil ? nil : generation)
        }

        private func tell(_ end: (waiters: [RefreshState.Waiter], result: Result<CredentialGeneration, any Error>)) {
            for waiter in end.waiters { waiter(end.result) }
        }

        private func change<Result>(_ body: (inout RefreshState) -> Result) -> Result {
            client.change { body(&$0.refresh) }
        }
    }

    var sharedRefresh: SharedRefresh { SharedRefresh(client: state) }
}
