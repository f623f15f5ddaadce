extension SimpleNetworking {
    /// Shares one refresh of a credential among all refused requests of a client.
    ///
    /// The client's lock guards it, so that no request reads a credential together with the mark of another.
    struct SharedRefresh: Sendable {
        /// Why a credential cannot be used.
        enum Cause {
            /// It has expired; its generation.
            case expiry(CredentialGeneration)
            case refusal(CredentialRefusal)
        }

        fileprivate let client: Locked<State>

        var isRefreshing: Bool { client.withLock { $0.refresh.isRefreshing } }

        /// Whether the running code belongs to a refresh of this client: its requests must not wait for themselves.
        var isOwn: Bool { isRunning(RefreshScope.current) }

        /// Whether one of the client's refreshes in the scope has not reported its end.
        func isRunning(_ scope: RefreshScope) -> Bool {
            let own = scope.numbers(of: client.identity)
            return !own.isEmpty && client.withLock { $0.refresh.isRunning(own) }
        }

        /// Lets a new request refresh again after a failure.
        func forgetFailure() { change { $0.forgetFailure() } }

        func stamp(isNew: Bool) -> RefreshState.Stamp { change { $0.stamp(isNew: isNew) } }

        /// Notes that a resource has accepted a credential.
        func accept(_ resource: RefusingResource) { change { $0.accept(resource) } }

        /// Handles an attempt whose credential has expired or was refused, and returns the caller's part; nil if a
        /// refresh would not help, and the refusal is final.
        ///
        /// `waiter` is called once, with the new generation or an error, on any thread, perhaps before this returns;
        /// `refresh` is called at once if the caller is to refresh. For nil, neither is called.
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
                let completion = RefreshCompletion { error in
                    cancelTimer()
                    tell(change { $0.finish(number: number, error) })
                }
                let scope = RefreshScope.current.adding(number, of: client.identity) { other in
                    client.withLock { $0.refresh.isRunning([other]) }
                }
                RefreshScope.$current.withValue(scope) { refresh(completion) }
                return .started
            }
        }

        /// Returns what waits for the end of the current refresh, or nil if there is none.
        func join() -> FirstResult<CredentialGeneration>? {
            let first = FirstResult<CredentialGeneration>()
            return change { $0.join { first.finish($0) } } ? first : nil
        }

        /// Notes the identity that was asked for with this ticket, and returns its account; ends an earlier user's wait.
        ///
        /// `setting` is that of the authenticator which was asked: if another was set since, it tells of a former user.
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
