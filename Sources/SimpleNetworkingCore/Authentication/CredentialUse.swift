import SimpleNetworkingSupport

/// Tracks the credential that the attempts of an execution carry; a pure value.
struct CredentialUse {
    /// The account for which the request was first sent.
    private(set) var account: AccountOfClient?
    /// The generation of the client's credential when the attempt was sent.
    private(set) var generation = CredentialGeneration()
    /// The generation that a refresh brought to this execution.
    ///
    /// If this generation is rejected, the execution doesn't refresh again.
    private(set) var refreshed: CredentialGeneration?
    /// Whether the request was made by a refresh.
    private(set) var isRefresh = false
    /// Whether the client waits to learn that the credential was accepted.
    private var isTrial = false
    /// Whether the attempt has waited for its turn.
    private var hasWaited = false
    /// Whether a refresh wasn't counted, because the attempt then waited for its turn.
    ///
    /// This happens at most once.
    private var hasSparedRefresh = false

    init(account: AccountOfClient? = nil) { self.account = account }

    /// The state for the next execution of the same request.
    var continued: CredentialUse {
        var next = CredentialUse(account: account)
        next.refreshed = refreshed
        next.hasSparedRefresh = hasSparedRefresh
        return next
    }

    /// Notes the users for whom the request is executed, before the first attempt, which a subclass may hold back.
    mutating func bind(to users: RequestUsers, of client: ObjectIdentifier) {
        if account == nil { account = AccountOfClient(client: client) }
        guard account?.client == client else { return }
        _ = belongs(toSignOuts: users.mark.signOuts)
        if !users.isSigned { _ = belongs(to: users.mark.account) }
        _ = belongs(to: users.ofData)
    }

    /// Begins an attempt with the credential that a mark describes.
    ///
    /// The result is whether the credential belongs to the request's account. An authenticator checks that itself.
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
        // The user may sign out before anything else is known of the request.
        _ = belongs(toSignOuts: mark.signOuts)
        self.isRefresh = isRefresh
        guard isSigned else { return renew(mark) }
        generation = mark.generation
        isTrial = false
        return true
    }

    /// Notes the credential of another attempt, and returns whether the credential belongs to the request's account.
    ///
    /// An authenticator that signs the attempt checks the account itself.
    mutating func renew(_ mark: RefreshState.Mark) -> Bool {
        generation = mark.generation
        isTrial = mark.isTrial
        return belongs(to: mark.account)
    }

    /// Returns whether the request belongs to this account.
    ///
    /// The first account passed in becomes the request's account.
    mutating func belongs(to number: AccountNumber) -> Bool {
        account?.number.isFirst(number) ?? true
    }

    /// Returns whether the request belongs to this user of other data, such as a store that requests share.
    ///
    /// The first user passed in becomes the request's user.
    mutating func belongs(toUser user: Int, of data: ObjectIdentifier) -> Bool {
        account?.users[data].isFirst(user) ?? true
    }

    /// Returns whether the request belongs to all of these users of other data, each of whom is noted.
    mutating func belongs(to users: [RequestUsers.DataUser]) -> Bool {
        users.count { !belongs(toUser: $0.user, of: $0.data) } == 0
    }

    /// Returns whether the user has not signed out since the request was first sent.
    mutating func belongs(toSignOuts count: Int) -> Bool {
        account?.signOuts.isFirst(count) ?? true
    }

    /// Notes that a refresh brought this generation to the execution.
    mutating func noteRefresh(to generation: CredentialGeneration) { refreshed = generation }

    /// Notes that the server has accepted the credential, so that a later rejection may refresh it again.
    mutating func noteAcceptance() { refreshed = nil }

    /// Whether the client waits to learn that a resource accepts the credential.
    var isAwaited: Bool { isTrial || refreshed != nil }

    /// Notes whether the attempt has waited for its turn before it was sent.
    mutating func noteTurn(hasWaited: Bool) { self.hasWaited = hasWaited }

    /// Describes the rejection of the attempt.
    mutating func refusal(by resource: RefusingResource) -> CredentialRefusal {
        assess(CredentialRefusal(of: generation, by: resource, afterRefreshTo: refreshed))
    }

    /// Adds to a rejection whether the attempt has waited.
    ///
    /// This excuses only one refresh of an execution.
    mutating func assess(_ refusal: CredentialRefusal) -> CredentialRefusal {
        guard hasWaited, !hasSparedRefresh, refusal.history == .refreshed else { return refusal }
        hasSparedRefresh = true
        var refusal = refusal
        refusal.noteWait()
        return refusal
    }
}

/// The users for whom a request is executed.
struct RequestUsers {
    /// The user of other data than the credential, such as a store that requests share.
    typealias DataUser = (data: ObjectIdentifier, user: Int)

    let mark: RefreshState.Mark
    /// Whether an authenticator has the credential, which tells the account only when it is read.
    let isSigned: Bool
    let ofData: [DataUser]
}

extension Optional where Wrapped: Equatable {
    /// Notes the first value that is passed in, and returns whether a value equals it.
    fileprivate mutating func isFirst(_ value: Wrapped) -> Bool {
        let first = self ?? value
        self = first
        return first == value
    }
}
