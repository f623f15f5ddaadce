import SimpleNetworkingSupport

/// Decides which request refreshes a credential, waits, or is only sent again; a pure state machine.
///
/// Each attempt carries a stamp, which contains the generation of the attempt's credential. Attempts that were rejected
/// with an older stamp are sent again at once. Of the attempts with the current stamp, the first attempt refreshes the
/// credential, and the others wait. A rejection is final only if there is no newer credential, no refresh is in
/// progress, and another refresh would not help.
struct RefreshState {
    /// Orders the requests for a credential's identity.
    typealias Ticket = Ordinal<Stamp>
    typealias Waiter = @Sendable (Result<CredentialGeneration, any Error>) -> Void

    enum Phase {
        case idle
        case refreshing(number: Int, waiters: [Waiter])
        /// The refresh failed; later rejections of the same credential end with the same error.
        case failed(any Error)

        /// Ends the waiting requests, because their user has signed out.
        func signOut() {
            guard case .refreshing(_, let waiters) = self else { return }
            for waiter in waiters { waiter(.failure(RefreshFailure.signedOut)) }
        }
    }

    enum Action {
        /// A newer credential already exists, so the request is sent again.
        case resend(CredentialGeneration)
        case wait
        /// The caller refreshes the credential and also waits.
        case refresh(number: Int)
        case fail(any Error)
        /// Another refresh would not help, so the server's response is the outcome.
        case end
    }

    /// Identifies the credential of an attempt.
    struct Stamp {
        let generation: CredentialGeneration
        /// The ticket for the identity of its credential.
        let ticket: Ticket
        /// Whether the client must learn that a resource accepts the credential.
        let isTrial: Bool
    }

    /// Holds a snapshot of the credential's state.
    struct Mark {
        let generation: CredentialGeneration
        let account: AccountNumber
        let signOuts: Int
        let hasFailed: Bool
        /// Whether the client must learn that a resource accepts the credential.
        let isTrial: Bool

        /// Returns the mark with the generation that a request carries, if that is an earlier one.
        func of(_ generation: CredentialGeneration?) -> Mark {
            Mark(
                generation: generation ?? self.generation,
                account: account,
                signOuts: signOuts,
                hasFailed: hasFailed,
                isTrial: isTrial
            )
        }
    }

    private(set) var phase = Phase.idle
    /// A number that changes with each refresh.
    private(set) var generation = CredentialGeneration()
    /// A number that changes when the user changes.
    private(set) var account = AccountNumber()
    /// The number of accounts that were ended by a sign-out, and not by another identity.
    private var signOuts = 0
    private var identity: String?
    /// The ticket of the most recently noted identity.
    private var identityTicket = Ticket()
    private var tickets = Ticket()
    private var lastNumber = 0
    private var trials = RefreshLimit()
    /// Whether a refresh has failed since the last success, so the server may have revoked the credential.
    private var isDoubtful = false

    var isRefreshing: Bool { if case .refreshing = phase { true } else { false } }
    private var hasFailed: Bool { if case .failed = phase { true } else { false } }
    var mark: Mark {
        Mark(
            generation: generation,
            account: account,
            signOuts: signOuts,
            hasFailed: hasFailed,
            isTrial: !trials.isEmpty
        )
    }

    mutating func forgetFailure() { if hasFailed { phase = .idle } }

    /// Returns the stamp of an attempt.
    ///
    /// After a failure, a new request may refresh again.
    mutating func stamp(isNew: Bool) -> Stamp {
        if isNew { forgetFailure() }
        tickets.advance()
        return Stamp(generation: generation, ticket: tickets, isTrial: !trials.isEmpty)
    }

    /// Handles the rejection of an attempt.
    ///
    /// `now` is a time of the client's clock.
    mutating func refuse(_ refusal: CredentialRefusal, at now: TimeInterval, waiter: @escaping Waiter) -> Action {
        // That refresh was no trial: its credential may have been revoked before the resource received it.
        if refusal.history == .refreshedBeforeWait { trials.accept(refusal.resource) }
        let action = recover(from: refusal.stamp, waiter: waiter) { state in
            if state.isDoubtful { return true }
            let isPermitted = state.trials.permits(refusal.resource, generation: state.generation, at: now)
            return isPermitted && refusal.history != .refreshed
        }
        if case .refresh = action { trials.begin(refusal.resource, generation: generation, at: now) }
        return action
    }

    /// Notes that a resource has accepted a credential.
    mutating func accept(_ resource: RefusingResource) { trials.accept(resource) }

    /// Handles an attempt whose credential has expired or was rejected.
    mutating func recover(
        from stamp: CredentialGeneration,
        waiter: @escaping Waiter,
        ifItHelps helps: (RefreshState) -> Bool = { _ in true }
    ) -> Action {
        if stamp < generation { return .resend(generation) }
        if join(waiter) { return .wait }
        if case .failed(let error) = phase { return .fail(error) }
        if !helps(self) { return .end }
        lastNumber += 1
        phase = .refreshing(number: lastNumber, waiters: [waiter])
        return .refresh(number: lastNumber)
    }

    /// Adds a waiter to the current refresh.
    ///
    /// Returns false if no refresh is in progress.
    mutating func join(_ waiter: @escaping Waiter) -> Bool {
        guard case .refreshing(let number, let waiters) = phase else { return false }
        phase = .refreshing(number: number, waiters: waiters + [waiter])
        return true
    }

    /// Ends the wait for a refresh, and returns its waiters and their result.
    ///
    /// After a timeout, the refresh itself may still be running.
    mutating func endWait(number: Int, _ error: (any Error)?) -> ([Waiter], Result<CredentialGeneration, any Error>) {
        guard case .refreshing(number, let waiters) = phase else {
            // Too late for its waiters, but later rejected requests can use its credential.
            if error == nil, !isRefreshing, number == lastNumber {
                phase = .idle
                beginGeneration()
            }
            return ([], .success(generation))
        }
        if let error {
            phase = .failed(error)
            isDoubtful = true
            return (waiters, .failure(error))
        }
        phase = .idle
        beginGeneration()
        return (waiters, .success(generation))
    }

    /// Ends the account, and returns its phase, so that its waiters can be notified.
    mutating func signOut() -> Phase {
        signOuts += 1
        return changeAccount()
    }

    /// Starts a new account, and returns the old account's phase.
    private mutating func changeAccount() -> Phase {
        account.advance()
        beginGeneration()
        lastNumber += 1
        trials = RefreshLimit()
        defer { phase = .idle }
        return phase
    }

    private mutating func beginGeneration() {
        generation.advance()
        isDoubtful = false
    }

    /// Notes the identity for this ticket, and returns its account and the phase of the account it replaces.
    ///
    /// An identity that arrives late, from an earlier user or a former authenticator, has no account.
    mutating func note(
        _ identity: String?,
        ticket: Ticket,
        isFormer: Bool = false
    ) -> (account: AccountNumber?, former: Phase?) {
        if isFormer, self.identity == nil { return (account, nil) }
        if isFormer || ticket < identityTicket { return (identity == self.identity ? account : nil, nil) }
        let isAnother = self.identity != nil && self.identity != identity
        self.identity = identity
        identityTicket = ticket
        let former = isAnother ? changeAccount() : nil
        return (account, former)
    }
}
