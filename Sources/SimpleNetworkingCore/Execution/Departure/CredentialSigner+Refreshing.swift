import SimpleNetworkingSupport

extension CredentialSigner {
    /// Signs in unless another request signs in.
    ///
    /// The result is nil if the authenticator doesn't sign in, or if nothing must be sent for the request.
    func signIn(for request: TransportRequest) -> FirstResult<CredentialGeneration>? {
        guard (authenticator as? any SignInAuthenticator)?.signIn != nil, !staysOffline(request) else { return nil }
        return refresh(nil, after: .expiry(sharedRefresh.stamp(isNew: false).generation))
    }

    /// Refreshes a credential unless another request refreshes it; nil stands for the first credential.
    ///
    /// The returned value ends with the refresh. The result is nil if a refresh would not help.
    func refresh(
        _ credential: Scheme.Credential?,
        after cause: SimpleNetworking.SharedRefresh.Cause
    ) -> FirstResult<CredentialGeneration>? {
        let first = FirstResult<CredentialGeneration>()
        // Another client's refresh must not wait for itself.
        let isNested = RefreshScope.current.isRunning
        let step = sharedRefresh.recover(
            from: cause,
            clock: plan.clock,
            limit: plan.settings.configuration.refreshTimeout,
            waiter: { first.finish($0) },
            refresh: { completion in
                completion.refresh(on: plan.scheduler) { try await self.refreshInTurn(credential, isNested: isNested) }
            }
        )
        guard let step else { return nil }
        execution.record(.refresh(step))
        return first
    }

    /// Refreshes the credential in this client's turn, unless another client has done so.
    private func refreshInTurn(_ credential: Scheme.Credential?, isNested: Bool) async throws {
        guard !isNested, let key = RefreshTurns.Key(authenticator, credential) else {
            return try await refresh(credential)
        }
        let limit = plan.settings.configuration.refreshTimeout
        try await RefreshTurns.shared.run(for: key, limit: limit, clock: plan.clock) {
            guard try await self.authenticator.credential() == credential else { return }
            try await self.refresh(credential)
        }
    }

    private func refresh(_ credential: Scheme.Credential?) async throws {
        if let credential {
            _ = try await authenticator.refresh(credential)
        } else {
            try await (authenticator as? any SignInAuthenticator)?.signIn?()
        }
    }

    /// Waits for the end of a refresh that another client has begun, unless that refresh made the request.
    func waitForOthers() async throws {
        if RefreshScope.current.isRunning { return }
        if let credential = use?.credential, let key = RefreshTurns.Key(authenticator, credential) {
            try await RefreshTurns.shared.wait(for: key)
        }
        guard let shared = authenticator as? any SharedAuthenticator else { return }
        let end = FirstResult<Void>()
        let limit = plan.settings.configuration.refreshTimeout
        let cancelAlarm = plan.clock.schedule(after: limit, for: .refresh) { end.finish(.success(())) }
        defer { cancelAlarm() }
        _ = Task.start(on: plan.scheduler) {
            await shared.waitForRefresh()
            end.finish(.success(()))
        }
        try await end.value()
    }
}
