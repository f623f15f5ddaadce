/// Signs each attempt, and refreshes a rejected credential once for all requests.
struct AuthenticationStage<Scheme: Authenticator>: Middleware {
    let authenticator: Scheme
    let plan: RequestPlan
    let execution: Execution

    private var sharedRefresh: SimpleNetworking.SharedRefresh { plan.client.sharedRefresh }

    /// The maximum number of newer credentials, from other requests' refreshes, that an attempt tries.
    private static var maxResends: Int { 5 }

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        // The refresh's own requests must neither wait for it nor send the rejected credential.
        if sharedRefresh.isOwn || !plan.isTrusted(request.url) { return try await next(request) }
        guard plan.specification.isAuthenticated else {
            // The client's header fields may be the next user's.
            guard execution.belongs(toSignOuts: plan.client.current.mark.signOuts) else {
                throw execution.foreignAccount
            }
            return try await next(request)
        }
        var refusal: SimpleResponse?
        var refreshedStamp = try await joinRefresh(request, nil)
        var resends = 0
        while true {
            // Read before the credential, because a refresh between the two costs only one more attempt.
            let stamp = sharedRefresh.stamp(isNew: refusal == nil)
            let credential = try await orFail(request, refusal) { try await authenticator.credential() }
            try Task.checkCancellation()
            let (account, begun) = note(credential, stamp)
            // The first credential of another user begins a generation.
            let generation = begun ?? stamp.generation
            guard let account, execution.belongs(to: account), credential != nil || refusal == nil else {
                throw SimpleNetworkingError.authentication(RefreshFailure.signedOut, request.head, refusal)
            }
            guard let credential else { return try await next(request) }
            let isExpired = authenticator.isExpired(credential)
            if refreshedStamp == nil, isExpired {
                let refresh = refresh(credential, after: .expiry(generation))
                refreshedStamp = try await orFail(request, refusal) { try await refresh?.value() }
                continue
            }
            let response: TransportResponse
            do {
                response = try await next(signed(request, with: credential, mayExpire: !isExpired))
            } catch let outdated as OutdatedCredential {
                let hasExpired = !isExpired && authenticator.isExpired(credential)
                if outdated.followsSuspension || hasExpired { refreshedStamp = nil }
                if let joined = try await joinRefresh(request, refusal) { refreshedStamp = joined }
                execution.noteRemaking(isPrepared: plan.isPrepared)
                continue
            }
            // A rejection by the origin of a redirect says nothing about the credential.
            guard plan.isTrusted(response.request?.url ?? request.url) else { return response }
            let resource = { RefusingResource(request.head) }
            guard authenticator.isRefusal(response) else {
                let isAccepted = response.httpStatus < 400 && (stamp.isTrial || refusal != nil)
                if isAccepted { sharedRefresh.accept(resource()) }
                return response
            }
            // A redirected request was carried out: a POST must not be sent twice because the target rejects it.
            guard !response.isRedirected || request.head.isRepeatable else { return response }
            guard resends < Self.maxResends else { return response }
            refusal = plan.seen(response, to: request.head, attempt: execution.sentAttempt)
            resends += 1
            // Another client may be about to receive the next credential, which has revoked this one.
            if !sharedRefresh.isRefreshing { try await waitForOthers() }
            if try await orFail(request, refusal, { try await authenticator.credential() }) != credential {
                execution.record(.refresh(.superseded))
                if try await execution.waitWhileSuspended() { refreshedStamp = nil }
                continue
            }
            let hasExpired = (authenticator as? any ExpiryTellingAuthenticator)?.isExpiry(response) == true
            let cause = CredentialRefusal(of: generation, by: resource(), afterRefreshTo: refreshedStamp)
            let next = refresh(credential, after: hasExpired ? .expiry(generation) : .refusal(execution.weigh(cause)))
            guard let refresh = next else { return response }
            refreshedStamp = try await orFail(request, refusal) { try await refresh.value() }
            if try await execution.waitWhileSuspended() { refreshedStamp = nil }
        }
    }

    /// Signs a request, and lets a request that waits for its turn be signed again.
    ///
    /// With `mayExpire`, the request is signed again if its credential has expired in the meantime.
    @inline(never)
    private func signed(
        _ request: TransportRequest,
        with credential: Scheme.Credential,
        mayExpire: Bool
    ) -> TransportRequest {
        let configuration = plan.settings.configuration
        var signed = request.signed(with: credential, authenticator, isCached: configuration.cache != nil)
        guard !configuration.traffic.areOff else { return signed }
        signed.isOutdated = { [authenticator, sharedRefresh] in
            if configuration.waitsForRefresh, sharedRefresh.isRefreshing { return true }
            return mayExpire && authenticator.isExpired(credential)
        }
        return signed
    }

    /// Waits for the end of a refresh that another client has begun, unless that refresh made the request.
    private func waitForOthers() async throws {
        if RefreshScope.current.isRunning { return }
        if let identity = RefreshTurns.identity(of: authenticator) { try await RefreshTurns.shared.wait(for: identity) }
        guard let shared = authenticator as? any SharedAuthenticator else { return }
        let end = FirstResult<Void>()
        let limit = plan.settings.configuration.refreshTimeout
        let cancelAlarm = plan.clock.schedule(after: limit, for: .other) { end.finish(.success(())) }
        defer { cancelAlarm() }
        _ = Task.start(on: plan.scheduler) {
            await shared.waitForRefresh()
            end.finish(.success(()))
        }
        try await end.value()
    }

    /// Refreshes the credential in this client's turn, unless another client has done so.
    private func refreshInTurn(_ credential: Scheme.Credential, isNested: Bool) async throws {
        guard !isNested, let identity = RefreshTurns.identity(of: authenticator) else {
            _ = try await authenticator.refresh(credential)
            return
        }
        let limit = plan.settings.configuration.refreshTimeout
        try await RefreshTurns.shared.run(for: identity, limit: limit, clock: plan.clock) {
            guard try await authenticator.credential() == credential else { return }
            _ = try await authenticator.refresh(credential)
        }
    }

    /// Waits for a refresh in progress, if the client requires it, and returns the generation that it produced.
    private func joinRefresh(
        _ request: TransportRequest,
        _ refusal: SimpleResponse?
    ) async throws -> CredentialGeneration? {
        guard plan.settings.configuration.waitsForRefresh, sharedRefresh.isRefreshing else { return nil }
        // A refresh for an account that has since signed out ends here, without any waiting requests.
        let stamp = sharedRefresh.stamp(isNew: false)
        let credential = try await orFail(request, refusal) { try await authenticator.credential() }
        _ = note(credential, stamp)
        guard let refresh = sharedRefresh.join() else { return nil }
        execution.record(.refresh(.joined))
        return try await orFail(request, refusal) { try await refresh.value() }
    }

    private func note(
        _ credential: Scheme.Credential?,
        _ stamp: RefreshState.Stamp
    ) -> (account: AccountNumber?, begun: CredentialGeneration?) {
        let setting = plan.settings.configuration.authenticatorSetting
        return sharedRefresh.note(credential.map(authenticator.identity), ticket: stamp.ticket, by: setting)
    }

    /// Refreshes a credential unless another request refreshes it.
    ///
    /// The returned value ends with the refresh. The result is nil if a refresh would not help.
    private func refresh(
        _ credential: Scheme.Credential,
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
                completion.refresh(on: plan.scheduler) { try await refreshInTurn(credential, isNested: isNested) }
            }
        )
        guard let step else { return nil }
        execution.record(.refresh(step))
        return first
    }

    /// Converts every failure of a credential to `.authentication`, except a cancellation.
    private func orFail<Value>(
        _ request: TransportRequest,
        _ refusal: SimpleResponse?,
        _ work: () async throws -> Value
    ) async throws -> Value {
        do { return try await work() } catch {
            try Task.checkCancellation()
            throw SimpleNetworkingError.authentication(error, request.head, refusal)
        }
    }
}

extension TransportRequest {
    /// Returns the request with a credential, whose header fields are secret.
    func signed<Scheme: Authenticator>(
        with credential: Scheme.Credential,
        _ authenticator: Scheme,
        isCached: Bool = false
    ) -> TransportRequest {
        var signed = self
        authenticator.sign(&signed, with: credential)
        for name in signed.headers.names where signed.headers[name] != headers[name] { signed.headers.markSecret(name) }
        if isCached, let account = authenticator.cacheIdentity(of: credential) {
            let fields = signed.headers.fields.filter { $0.isSecret && headers[$0.name] != signed.headers[$0.name] }
            signed.signature = Boxed(Signature(account: "\(Scheme.self) \(account)", fields: fields))
        }
        return signed
    }

    /// Returns the request with the authenticator's credential, if it has one.
    func signed(by authenticator: some Authenticator) async throws -> TransportRequest {
        guard let credential = try await authenticator.credential() else { return self }
        return signed(with: credential, authenticator)
    }
}
