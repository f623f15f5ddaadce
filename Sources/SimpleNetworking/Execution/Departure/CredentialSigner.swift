/// Signs the requests of one attempt, and knows which credential they carried.
final class CredentialSigner<Scheme: Authenticator>: RequestSigner {
    /// A credential that signed a request.
    struct Use: Sendable {
        let credential: Scheme.Credential
        let generation: CredentialGeneration
        /// Whether the client must learn that a resource accepts the credential.
        let isTrial: Bool
    }

    private struct State {
        var use: Use?
        /// The last rejection, after which a request without a credential isn't sent.
        var refusal: SimpleResponse?
        /// The generation that a refresh has brought to this request.
        var refreshed: CredentialGeneration?
        /// The generation that had expired as soon as it was refreshed, and is sent nevertheless.
        var tolerated: CredentialGeneration?
        var hasStamp = false
    }

    let authenticator: Scheme
    let plan: RequestPlan
    let execution: Execution
    private let state = Locked(State())

    init(_ authenticator: Scheme, _ plan: RequestPlan, _ execution: Execution) {
        self.authenticator = authenticator
        self.plan = plan
        self.execution = execution
    }

    var sharedRefresh: SimpleNetworking.SharedRefresh { plan.client.sharedRefresh }

    /// The credential of the last request; nil if it carried none.
    var use: Use? { state.withLock(\.use) }
    var refreshed: CredentialGeneration? { state.withLock(\.refreshed) }

    func note(_ refusal: SimpleResponse) { state.withLock { $0.refusal = refusal } }

    func note(refreshed: CredentialGeneration?) { state.withLock { $0.refreshed = refreshed } }

    func noteSuspension() {
        state.withLock { state in
            state.refreshed = nil
            state.tolerated = nil
        }
    }

    func noteAccount(for request: TransportRequest) async throws {
        if execution.account?.number == nil, try signs(request) { _ = try await current(request) }
    }

    func sign(_ request: TransportRequest, beforeWaiting: () -> Void) async throws -> TransportRequest {
        guard try signs(request) else { return unsigned(request) }
        if let refreshed = try await joinRefresh(request, beforeWaiting) { note(refreshed: refreshed) }
        var hasRenewed = false
        while true {
            guard let use = try await current(request) else { return unsigned(request) }
            if authenticator.isExpired(use.credential) {
                let isTolerated = state.withLock { state in
                    if hasRenewed { state.tolerated = use.generation }
                    return state.tolerated == use.generation
                }
                if !isTolerated {
                    hasRenewed = true
                    beforeWaiting()
                    let refresh = refresh(use.credential, after: .expiry(use.generation))
                    note(refreshed: try await orFail(request) { try await refresh?.value() })
                    continue
                }
            }
            return request.signed(with: use, by: self)
        }
    }

    func preview(_ request: TransportRequest) async throws -> TransportRequest {
        guard try signs(request), let use = try await current(request) else { return unsigned(request) }
        return request.signed(with: use, by: self, isPreview: true)
    }

    func isCurrent(_ mark: RefreshState.Mark, for request: TransportRequest) throws -> Bool {
        guard try signs(request) else { return true }
        guard execution.belongs(to: mark.account) else { throw execution.foreignAccount }
        guard let use = request.credential as? Use else { return true }
        if use.generation != mark.generation { return false }
        return !plan.settings.configuration.waitsForRefresh || !sharedRefresh.isRefreshing
    }

    /// Returns whether a request may carry the credential.
    ///
    /// A refresh's own requests must not carry the rejected credential, and must not wait for the refresh.
    ///
    /// - Throws: `.authentication` if the user of an unauthenticated request has signed out: the client's header fields
    ///   may be the next user's.
    private func signs(_ request: TransportRequest) throws -> Bool {
        if sharedRefresh.isOwn || request.isUntrusted || !plan.isTrusted(request.url) { return false }
        if plan.specification.isAuthenticated { return true }
        guard execution.belongs(toSignOuts: plan.client.current.mark.signOuts) else { throw execution.foreignAccount }
        return false
    }

    private func unsigned(_ request: TransportRequest) -> TransportRequest {
        state.withLock { $0.use = nil }
        return request
    }

    /// Returns the current credential and its generation, or nil if there is none.
    ///
    /// - Throws: `.authentication` if it belongs to another user than the request.
    private func current(_ request: TransportRequest) async throws -> Use? {
        let (refusal, isFirst) = state.withLock { state in
            defer { state.hasStamp = true }
            return (state.refusal, !state.hasStamp)
        }
        // Read before the credential, because a refresh between the two costs only one more attempt.
        let stamp = sharedRefresh.stamp(isNew: isFirst)
        let credential = try await orFail(request) { try await readCredential() }
        try Task.checkCancellation()
        let (account, begun) = note(credential, stamp)
        guard let account, execution.belongs(to: account), credential != nil || refusal == nil else {
            throw signedOut(request)
        }
        // The first credential of another user begins a generation.
        let use = credential.map {
            Use(credential: $0, generation: begun ?? stamp.generation, isTrial: stamp.isTrial)
        }
        state.withLock { $0.use = use }
        return use
    }

    /// Reads the credential; what that takes must not wait for the turn that the request may have.
    private func readCredential() async throws -> Scheme.Credential? {
        if plan.settings.configuration.traffic.areOff { return try await authenticator.credential() }
        let reading = AwaitedWork()
        let first = FirstResult<Scheme.Credential?>()
        // In a task of its own, because user code that doesn't notice a cancellation would keep the turn.
        let task = AwaitedScope.$current.withValue(reading.scope) {
            Task.start(on: plan.scheduler) { [authenticator] in
                do {
                    first.finish(.success(try await authenticator.credential()))
                } catch {
                    first.finish(.failure(error))
                }
                withExtendedLifetime(reading) {}
            }
        }
        defer { task.cancel() }
        return try await first.value()
    }

    /// Waits for a refresh in progress, if the client requires it, and returns the generation that it produced.
    private func joinRefresh(
        _ request: TransportRequest,
        _ beforeWaiting: () -> Void
    ) async throws -> CredentialGeneration? {
        guard plan.settings.configuration.waitsForRefresh, sharedRefresh.isRefreshing else { return nil }
        // A refresh for an account that has since signed out ends here, without any waiting requests.
        let stamp = sharedRefresh.stamp(isNew: false)
        let credential = try await orFail(request) { try await readCredential() }
        guard let account = note(credential, stamp).account, execution.belongs(to: account) else {
            throw signedOut(request)
        }
        guard let refresh = sharedRefresh.join() else { return nil }
        beforeWaiting()
        execution.record(.refresh(.joined))
        return try await orFail(request) { try await refresh.value() }
    }

    private func note(
        _ credential: Scheme.Credential?,
        _ stamp: RefreshState.Stamp
    ) -> (account: AccountNumber?, begun: CredentialGeneration?) {
        let setting = plan.settings.configuration.authenticatorSetting
        return sharedRefresh.note(credential.map(authenticator.identity), ticket: stamp.ticket, by: setting)
    }

    /// Converts every failure of a credential to `.authentication`, except a cancellation.
    func orFail<Value>(_ request: TransportRequest, _ work: () async throws -> Value) async throws -> Value {
        do { return try await work() } catch {
            try Task.checkCancellation()
            throw failure(error, request)
        }
    }

    private func signedOut(_ request: TransportRequest) -> SimpleNetworkingError {
        failure(RefreshFailure.signedOut, request)
    }

    private func failure(_ error: any Error, _ request: TransportRequest) -> SimpleNetworkingError {
        .authentication(error, request.head, state.withLock(\.refusal))
    }
}

extension TransportRequest {
    fileprivate func signed<Scheme: Authenticator>(
        with use: CredentialSigner<Scheme>.Use,
        by signer: CredentialSigner<Scheme>,
        isPreview: Bool = false
    ) -> TransportRequest {
        let isCached = signer.plan.settings.configuration.cache != nil
        var signed = signed(with: use.credential, signer.authenticator, isCached: isCached, isPreview: isPreview)
        signed.credential = use
        return signed
    }

    /// Returns the request with a credential, whose header fields are secret.
    fileprivate func signed<Scheme: Authenticator>(
        with credential: Scheme.Credential,
        _ authenticator: Scheme,
        isCached: Bool = false,
        isPreview: Bool = false
    ) -> TransportRequest {
        var signed = self
        if isPreview, let counting = authenticator as? any CountingAuthenticator {
            counting.preview(&signed, ofAny: credential)
        } else {
            authenticator.sign(&signed, with: credential)
        }
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
