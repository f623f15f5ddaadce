/// Tracks which credential the attempts of an execution carry, for re-authentication.
struct CredentialUse {
    /// The generation of the client's credential when the attempt was sent.
    var stamp = 0
    /// The generation that a refresh brought to this execution; if that is refused too, the refusal is final.
    var refreshedStamp: Int?
    /// Whether a refresh made the request.
    var isRefresh = false
    /// The account that the request was first sent for.
    var account: Int?
    /// The client that counts these.
    var client: ObjectIdentifier?

    mutating func belongs(to account: Int) -> Bool {
        let own = self.account ?? account
        self.account = own
        return own == account
    }
}

extension Execution {
    /// The credential that was refused; nil if no status handler has the request.
    func refused(by request: SimpleRequest) -> CredentialUse? {
        state.withLock { $0.machine.isInHand(of: request.round) ? $0.credential : nil }
    }

    func belongs(to account: Int) -> Bool { state.withLock { $0.credential.belongs(to: account) } }

    /// The error of a request that was first sent for another account.
    var foreignAccount: SimpleNetworkingError {
        .authentication(RefreshFailure.signedOut, nil, state.withLock { $0.machine.response })
    }
}

extension SimpleNetworkingError {
    /// The error of a request whose credential could not be had; `head` is what was sent if there is no response.
    static func authentication(_ error: any Error, _ head: RequestHead?, _ response: SimpleResponse?) -> Self {
        .authentication(.init(refresh: error, request: response?.request ?? head, response: response))
    }
}

extension Execution.State {
    /// Notes which credential the attempt carries; `mark` was read together with the settings.
    ///
    /// Returns whether it belongs to the account that the request was first sent for. An authenticator checks that by itself.
    mutating func beginCredential(_ mark: FlightState.Mark, of client: SimpleNetworking, isSigned: Bool) -> Bool {
        let isElsewhere = credential.client != client.state.identity
        credential.client = client.state.identity
        credential.stamp = mark.generation
        credential.isRefresh = client.flight.isOwn
        if machine.isFirstRound || isElsewhere { credential.refreshedStamp = nil }
        // Another client counts other accounts.
        if isElsewhere { credential.account = nil }
        return isSigned || credential.belongs(to: mark.account)
    }
}

extension SimpleRequest {
    /// Sends the request again after a refresh, or ends it with the refresh's error; does nothing after its end.
    func resend(after refresh: Result<Int, any Error>) {
        guard let execution = state.withLock({ $0.execution }) else { return }
        let (isInHand, response) = execution.state.withLock { state in
            let isInHand = state.machine.isInHand(of: round)
            if isInHand, case .success(let stamp) = refresh { state.credential.refreshedStamp = stamp }
            return (isInHand, state.machine.response)
        }
        guard isInHand else { return }
        switch refresh {
        case .success: retry()
        case .failure(let error): fail(SimpleNetworkingError.authentication(error, nil, response))
        }
    }

    /// Ends the execution with the error that the last response means.
    func endWithLastResponse() {
        guard let execution = state.withLock({ $0.execution }) else { return }
        let result = execution.state.withLock { $0.machine.result }
        guard let response = result?.response else { return execution.ignore("no response refused it", of: self) }
        fail(result?.error ?? .invalidResponse(response))
    }
}
