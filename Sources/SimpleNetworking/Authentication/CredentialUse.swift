/// Tracks which credential the attempts of an execution carry: a pure value.
struct CredentialUse {
    /// The account that the request was first sent for.
    private(set) var account: AccountOfClient?
    /// The generation of the client's credential when the attempt was sent.
    private(set) var generation = CredentialGeneration()
    /// The generation that a refresh brought to this execution, which refreshes no other one if it is rejected.
    private(set) var refreshed: CredentialGeneration?
    /// Whether the request was made by a refresh.
    private(set) var isRefresh = false
    /// Whether the client waits to learn that the credential was accepted.
    private var isTrial = false
    /// Whether the attempt has waited for its turn.
    private var hasWaited = false
    /// Whether a refresh was followed by such a wait and therefore not counted; this happens once.
    private var hasSparedRefresh = false

    init(account: AccountOfClient? = nil) { self.account = account }

    /// The state for the next execution of the same request.
    var continued: CredentialUse {
        var next = CredentialUse(account: account)
        next.refreshed = refreshed
        next.hasSparedRefresh = hasSparedRefresh
        return next
    }

    /// Begins an attempt with the credential of a mark.
    ///
    /// Returns whether the credential belongs to the request's account; an authenticator checks that itself.
    mutating func begin(
        _ mark: RefreshState.Mark,
        of client: ObjectIdentifier,
        isSigned: Bool,
        isFirst: Bool,
        isRefresh: Bool
    ) -> Bool {
        let isElsewhere = account?.client != client
        if isElsewhere { account = AccountOfClient(client: client) }
        if isFirst || isElsewhere { refreshed = nil }
        self.isRefresh = isRefresh
        guard isSigned else { return renew(mark) }
        generation = mark.generation
        isTrial = false
        return true
    }

    /// Notes the credential of a further attempt, and returns whether it belongs to the request's account.
    ///
    /// If an authenticator signs the attempt, it does this itself.
    mutating func renew(_ mark: RefreshState.Mark) -> Bool {
        generation = mark.generation
        isTrial = mark.isTrial
        return belongs(to: mark.account)
    }

    /// Returns whether the request belongs to this account; the first account asked about becomes the request's.
    mutating func belongs(to number: AccountNumber) -> Bool {
        let own = account?.number ?? number
        account?.number = own
        return own == number
    }

    /// Notes that a refresh brought this generation to the execution.
    mutating func noteRefresh(to generation: CredentialGeneration) { refreshed = generation }

    /// Whether the client waits to learn that a resource accepts the credential.
    var isAwaited: Bool { isTrial || refreshed != nil }

    /// Notes whether the attempt has waited for its turn before it was sent.
    mutating func noteTurn(hasWaited: Bool) { self.hasWaited = hasWaited }

    /// Describes the rejection of the attempt.
    mutating func refusal(by resource: RefusingResource) -> CredentialRefusal {
        weigh(CredentialRefusal(of: generation, by: resource, afterRefreshTo: refreshed))
    }

    /// Adds to a rejection whether the attempt has waited; only one refresh of an execution is excused this way.
    mutating func weigh(_ refusal: CredentialRefusal) -> CredentialRefusal {
        guard hasWaited, !hasSparedRefresh, refusal.history == .refreshed else { return refusal }
        hasSparedRefresh = true
        var refusal = refusal
        refusal.noteWait()
        return refusal
    }
}
