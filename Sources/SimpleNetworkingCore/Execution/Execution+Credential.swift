import SimpleNetworkingSupport

/// Tracks which credential the attempts of an execution carry, for reauthentication.
extension Execution {
    /// Returns the rejection of the attempt's credential.
    ///
    /// The result is nil if a refresh made the request, if no status handler has the request, if the request was carried
    /// out before a redirect and must not be repeated, or if a redirect's target rejects it that isn't trusted.
    func refusal(of request: SimpleRequest) -> CredentialRefusal? {
        state.withLock { state in
            guard !state.inherited.credential.isRefresh, state.machine.isInHand(of: request.round),
                let head = state.attempt.head, !state.attempt.reach.isCarriedOut, state.wasSentToTrustedOrigin
            else { return nil }
            return state.inherited.credential.refusal(by: RefusingResource(head))
        }
    }

    /// Records a rejection that an authenticator has seen.
    func assess(_ refusal: CredentialRefusal) -> CredentialRefusal {
        state.withLock { $0.inherited.credential.assess(refusal) }
    }

    /// Notes the credential of another attempt, and returns whether it belongs to the request's account.
    func renewCredential(_ mark: RefreshState.Mark) -> Bool { state.withLock { $0.inherited.credential.renew(mark) } }

    /// Notes the end of a refresh for the attempt, or returns false if no object of that round still has the request.
    fileprivate func note(_ refresh: Result<CredentialGeneration, any Error>, inHandOf round: Int?) -> Bool {
        state.withLock { state in
            let isInHand = state.machine.isInHand(of: round)
            if isInHand, case .success(let generation) = refresh {
                state.inherited.credential.noteRefresh(to: generation)
            }
            return isInHand
        }
    }

    /// Notes the users for whom a request is executed that the client's `execute(request:)` holds back.
    func bind(_ request: SimpleRequest, to client: SimpleNetworking) {
        guard isSubmitted else { return }
        let (settings, mark) = client.current
        let users = RequestUsers(of: settings, mark, request.specification.options)
        state.withLock { state in
            guard state.machine.phase == .submitted else { return }
            state.inherited.credential.bind(to: users, of: client.state.identity)
        }
    }

    /// Whether the client waits to learn that the attempt's credential is accepted.
    var awaitsAcceptance: Bool { state.withLock { $0.inherited.credential.isAwaited } }

    func belongs(to account: AccountNumber) -> Bool { state.withLock { $0.inherited.credential.belongs(to: account) } }

    /// Returns whether the request belongs to this user of a feature's data.
    func belongs(toUser user: Int, of data: ObjectIdentifier) -> Bool {
        state.withLock { $0.inherited.credential.belongs(toUser: user, of: data) }
    }

    func belongs(toSignOuts count: Int) -> Bool {
        state.withLock { $0.inherited.credential.belongs(toSignOuts: count) }
    }

    /// The error for a request that was first sent for another account.
    var foreignAccount: SimpleNetworkingError {
        .authentication(RefreshFailure.signedOut, nil, state.withLock { $0.machine.response })
    }
}

extension SimpleNetworkingError {
    /// Creates the error for an unavailable credential.
    ///
    /// `head` is the head of the sent request if there is no response.
    static func authentication(_ error: any Error, _ head: RequestHead?, _ response: SimpleResponse?) -> Self {
        .authentication(.init(refresh: error, request: response?.request ?? head, response: response))
    }
}

extension Execution.State {
    /// Notes which credential the attempt carries.
    ///
    /// `mark` was read together with the settings. Returns whether the credential belongs to the request's account. An
    /// authenticator checks the account itself.
    mutating func beginCredential(_ mark: RefreshState.Mark, of client: SimpleNetworking, isSigned: Bool) -> Bool {
        // Another client's user may be another one.
        if inherited.credential.account?.client != client.state.identity {
            inherited.kept = Options()
        }
        return inherited.credential.begin(
            mark,
            of: client.state.identity,
            isSigned: isSigned,
            isFirst: machine.isFirstRound,
            isRefresh: client.sharedRefresh.isRunning(inherited.refreshScope)
        )
    }

    /// Whether the last response comes from an origin that may have received the credential, even after a redirect.
    fileprivate var wasSentToTrustedOrigin: Bool {
        guard let client, let settings, let response = machine.response, response.parts.isRedirected,
            let origin = Origin(response.request.url)
        else { return true }
        return settings.configuration.trusts(origin, besides: client.baseURL)
    }

    /// Informs the client, after the lock is released, that the attempt's credential was accepted.
    ///
    /// With `isOfHead`, only the content is still to come, and may be lost.
    mutating func noteAcceptance(isOfHead: Bool = false) {
        guard inherited.credential.isAwaited, let client, let head = attempt.head else { return }
        if isOfHead { inherited.credential.noteAcceptance() }
        deferredWork.append { client.sharedRefresh.accept(RefusingResource(head)) }
    }
}

extension SimpleRequest {
    /// Sends the request again after a refresh, or ends it with the refresh's error.
    ///
    /// After the end of the execution, this method does nothing.
    func resend(after refresh: Result<CredentialGeneration, any Error>) {
        guard let execution, execution.note(refresh, inHandOf: round) else { return }
        switch refresh {
        case .success: submit(isFresh: false, on: nil, whileInHand: true)
        case .failure(let error): fail(SimpleNetworkingError.authentication(error, nil, execution.result?.response))
        }
    }

    /// Starts the attempt that `execute(request:)` held back for a sign-in, or ends it with the sign-in's error.
    func start(after signIn: Result<CredentialGeneration, any Error>, on client: SimpleNetworking) {
        guard execution?.isSubmitted == true else { return }
        switch signIn {
        case .success: startAttempt(on: client)
        case .failure(let error): fail(SimpleNetworkingError.authentication(error, nil, nil))
        }
    }

    /// Ends the execution with the error for the last response.
    func endWithLastResponse() {
        guard let execution else { return }
        let result = execution.result
        guard let response = result?.response else { return execution.ignore("no response refused it", of: self) }
        fail(result?.error ?? .invalidResponse(response))
    }
}
