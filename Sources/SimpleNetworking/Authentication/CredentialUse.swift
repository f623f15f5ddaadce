/// Says which credential the attempts of an execution carry: a pure value.
struct CredentialUse {
    /// The account that the request was first sent for.
    private(set) var account: AccountOfClient?
    /// The generation of the client's credential when the attempt was sent.
    private(set) var generation = CredentialGeneration()
    /// The generation that a refresh brought to this execution; if that is refused too, it has no other refreshed.
    private(set) var refreshed: CredentialGeneration?
    /// Whether a refresh made the request.
    private(set) var isRefresh = false
    /// Whether the client is to know that the credential was accepted.
    private var isTrial = false
    /// Whether the attempt has waited for its turn.
    private var hasWaited = false
    /// Whether a refresh was followed by such a wait, and not counted; it happens once.
    private var hasSparedRefresh = false

    init(account: AccountOfClient? = nil) { self.account = account }

    /// What the next execution of the same request knows of this one.
    var continued: CredentialUse {
        var next = CredentialUse(account: account)
        next.refreshed = refreshed
        next.hasSparedRefresh = hasSparedRefresh
        return next
    }

    /// Begins an attempt with the credential that `mark` tells of.
    ///
    /// Returns whether that belongs to the request's account; an authenticator checks that by itself.
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

    /// Notes the credential of a further attempt, unless an authenticator signs it; returns whether it belongs to the
    /// request's account.
    mutating func renew(_ mark: RefreshState.Mark) -> Bool {
        generation = mark.generation
        isTrial = mark.isTrial
        return belongs(to: mark.account)
    }

    /// Returns whether the request was first sent for this account, or is now.
    mutating func belongs(to number: AccountNumber) -> Bool {
        let own = account?.number ?? number
        account?.number = own
        return own == number
    }

    /// Notes that a refresh brought this generation to the execution.
    mutating func noteRefresh(to generation: CredentialGeneration) { refreshed = generation }

    /// Whether the client waits for the word that a resource accepts the credential.
    var isAwaited: Bool { isTrial || refreshed != nil }

    /// Notes whether the attempt has waited for its turn before it was sent.
    mutating func noteTurn(hasWaited: Bool) { self.hasWaited = hasWaited }

    /// Describes the refusal of the attempt.
    mutating func refusal(by resource: RefusingResource) -> CredentialRefusal {
        weigh(CredentialRefusal(of: generation, by: resource, afterRefreshTo: refreshed))
    }

    /// Returns the refusal with a word on whether the attempt has waited; only one refresh of an execution is excused so.
    mutating func weigh(_ refusal: CredentialRefusal) -> CredentialRefusal {
        guard hasWaited, !hasSparedRefresh, refusal.history == .refreshed else { return refusal }
        hasSparedRefresh = true
        var refusal = refusal
        refusal.noteWait()
        return refusal
    }
}
