import SimpleNetworkingSupport

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

    func authorize(
        _ request: TransportRequest,
        keeping turn: KeptTurn
    ) async throws -> TransportRequest {
        guard try signs(request) else { return unsigned(request) }
        var hasRenewed = false
        if let refreshed = try await joinRefresh(request, keeping: turn) {
            note(refreshed: refreshed)
            hasRenewed = true
        }
        while true {
            let use = try await current(request, keeping: turn)
            if use == nil, !hasRenewed, let signIn = signIn(for: request) {
                hasRenewed = true
                note(refreshed: try await orFail(request) { try await turn.wait(for: signIn) })
                continue
            }
            guard let use else { return unsigned(request) }
            if authenticator.isExpired(use.credential) {
                let isTolerated = state.withLock { state in
                    if hasRenewed { state.tolerated = use.generation }
                    return state.tolerated == use.generation
                }
                if !isTolerated {
                    hasRenewed = true
                    if let refresh = self.refresh(use.credential, after: .expiry(use.generation)) {
                        note(refreshed: try await orFail(request) { try await turn.wait(for: refresh) })
                    }
                    continue
                }
            }
            var authorized = request
            authorized.credential = use
            return authorized
        }
    }

    func acceptance(of request: TransportRequest) -> HeadReaction? {
        guard let use = request.credential as? Use, use.isTrial, let head = execution.head else { return nil }
        return { [weak self] status, headers in
            guard let self, !authenticator.isRefusal(TransportResponse(httpStatus: status, headers: headers)) else {
                return
            }
            sharedRefresh.accept(RefusingResource(head))
        }
    }

    func sign(_ request: TransportRequest) -> TransportRequest {
        (request.credential as? Use).map { request.signed(with: $0, by: self) } ?? request
    }

    func preview(_ request: TransportRequest) async throws -> TransportRequest {
        guard try signs(request), let use = try await current(request) else { return unsigned(request) }
        return request.signed(with: use, by: self, isPreview: true)
    }

    func isCurrent(_ mark: RefreshState.Mark, for request: TransportRequest, isFirm: Bool) throws -> Bool {
        guard try signs(request) else { return true }
        guard execution.belongs(to: mark.account) else { throw execution.foreignAccount }
        guard let use = request.credential as? Use else { return true }
        if use.generation != mark.generation, !isFirm { return false }
        return !plan.settings.configuration.waitsForRefresh || !sharedRefresh.isRefreshing
    }

    /// Returns whether a request may carry the credential.
    ///
    /// A refresh's own requests must not carry the rejected credential, and must not wait for the refresh.
    ///
    /// - Throws: `.authentication` if the request's user has signed out, even before a credential was read for it: the
    ///   credential, or the client's header fields, may be the next user's.
    private func signs(_ request: TransportRequest) throws -> Bool {
        if sharedRefresh.isOwn || request.isUntrusted || !plan.isTrusted(request.url) { return false }
        guard execution.belongs(toSignOuts: plan.client.current.mark.signOuts) else { throw execution.foreignAccount }
        return plan.specification.isAuthenticated
    }

    private func unsigned(_ request: TransportRequest) -> TransportRequest {
        state.withLock { $0.use = nil }
        var unsigned = request
        unsigned.credential = nil
        return unsigned
    }

    /// Returns the current credential and its generation, or nil if there is none.
    ///
    /// - Throws: `.authentication` if it belongs to another user than the request.
    private func current(
        _ request: TransportRequest,
        keeping turn: KeptTurn? = nil
    ) async throws -> Use? {
        let (refusal, isFirst) = state.withLock { state in
            defer { state.hasStamp = true }
            return (state.refusal, !state.hasStamp)
        }
        // Read before the credential, because a refresh between the two costs only one more attempt.
        let stamp = sharedRefresh.stamp(isNew: isFirst)
        let credential: Scheme.Credential?
        if staysOffline(request), let requesting = authenticator as? any RequestingAuthenticator {
            credential = try await orFail(request) { try await requesting.storedCredential() as? Scheme.Credential }
            // There is no user yet.
            if credential == nil { return nil }
        } else {
            credential = try await orFail(request) { try await readCredential(keeping: turn) }
        }
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

    /// Returns whether nothing must be sent for the request.
    func staysOffline(_ request: TransportRequest) -> Bool {
        let attempt = Attempt(plan: plan, execution: execution)
        return plan.features.contains { $0.staysOffline(request, for: attempt) }
    }

    /// Reads the credential; what that takes must not wait for the turn that the request may have.
    func readCredential(keeping turn: KeptTurn? = nil) async throws -> Scheme.Credential? {
        try await (turn ?? KeptTurn(plan)).ask { [authenticator] in try await authenticator.credential() }
    }

    /// Waits for a refresh in progress, if the client requires it, and returns the generation that it produced.
    private func joinRefresh(
        _ request: TransportRequest,
        keeping turn: KeptTurn
    ) async throws -> CredentialGeneration? {
        guard plan.settings.configuration.waitsForRefresh, sharedRefresh.isRefreshing else { return nil }
        // A refresh for an account that has since signed out ends here, without any waiting requests.
        let stamp = sharedRefresh.stamp(isNew: false)
        let credential = try await orFail(request) { try await readCredential(keeping: turn) }
        guard let account = note(credential, stamp).account, execution.belongs(to: account) else {
            throw signedOut(request)
        }
        guard let refresh = sharedRefresh.join() else { return nil }
        execution.record(.refresh(.joined))
        return try await orFail(request) { try await turn.wait(for: refresh) }
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
