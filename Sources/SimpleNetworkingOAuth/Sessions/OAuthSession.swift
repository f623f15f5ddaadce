import SimpleNetworkingSupport

/// Signs in one account, stores its token, and refreshes it for all tasks and programs that share the store.
///
/// All callers share one refresh.
///
/// ```text
/// let session = OAuthSession(configuration, store: FileCredentialStore(file))
/// let api = SimpleNetworking(baseURL: url) { $0.authenticator = session }
/// try await session.signIn { page in
///     open(page)
///     return nil                                          until the app's URL handler calls
/// }                                                       session.finishAuthenticating(redirect)
/// ```
public actor OAuthSession {
    /// The configuration of the server and the program.
    public nonisolated let configuration: OAuthConfiguration
    let client: TokenClient
    let store: any CredentialStore
    let unattendedGrant: Grant?
    private let lock = AsyncLock()
    /// The token as last seen in the store.
    var token: OAuthToken? {
        didSet {
            changes += 1
            noteSignIn()
        }
    }
    private var changes = 0
    /// Changes with each sign-in and sign-out, including those of other sessions that share the store.
    var account = 0
    /// The sign-in of the most recently seen token; nil before the first one.
    private var seen: UUID??
    /// A token that could not be stored but may hold the only valid refresh token, and the token stored at that time.
    private(set) var unsaved: (token: OAuthToken, over: OAuthToken?)?
    /// The most recent refresh token that the server has refused, which is not sent again, and the refusal.
    ///
    /// After a refusal that ends the session, it says why there is no token.
    var refusal: RefusedRefresh?
    /// The current refresh, whose result all callers share.
    var refreshing: (number: Int, task: Task<OAuthToken, any Error>)?
    /// The number of refreshes that have begun.
    var refreshes = 0
    /// The sign-in that waits for its redirect.
    var waiting: WaitingSignIn?
    /// A number that changes with each sign-in that is started and each sign-out of this session.
    var signIns = 0

    /// Creates a session for one account with one server.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the server and the program.
    ///   - store: The store for the token. The default store keeps the token in memory.
    ///   - unattendedGrant: The grant that gets a token without the user if there is no refresh token, such as
    ///     `.clientCredentials`. If nil (the default), the user must sign in.
    ///   - configure: A closure that changes the settings of the HTTP client for token requests, such as its
    ///     `transport`.
    public init(
        _ configuration: OAuthConfiguration,
        store: any CredentialStore = MemoryCredentialStore(),
        unattendedGrant: Grant? = nil,
        configure: @Sendable (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.store = store
        self.unattendedGrant = unattendedGrant
        client = TokenClient(configuration, configure: configure)
    }

    /// Returns the stored token without sending a request, even if it has expired; nil if there is none.
    ///
    /// - Throws: Errors from the store.
    public func storedToken() async throws -> OAuthToken? {
        if let token { return token }
        let before = changes
        let loaded = try await store.load()
        // Unless a sign-in or a sign-out happened in the meantime.
        if changes == before { token = loaded }
        return token
    }

    /// Returns a valid token, refreshed if it has expired.
    ///
    /// A token that can't be refreshed is returned even if it has expired by this machine's clock, which may be wrong.
    /// The same applies if the server is unavailable and the token is about to expire but still valid.
    ///
    /// - Throws: `OAuthError.notSignedIn` if there is no token, an `OAuthError` if the token could not be refreshed,
    ///   and errors from the store. If the server has refused the refresh token, each call throws that refusal until
    ///   the next sign-in, and sends no request.
    public func currentToken() async throws -> OAuthToken {
        let kept = try await storedToken()
        if let kept, isUsable(kept), unsaved == nil { return kept }
        if kept == nil, unattendedGrant == nil { throw signedOutError }
        do {
            return try await refresh(replacing: nil)
        } catch let error as OAuthError where error.isTransient {
            guard let kept, !isOver(kept) else { throw error }
            return kept
        }
    }

    /// Signs in with a token that was obtained elsewhere, and stores the token.
    ///
    /// A pending sign-in ends with `OAuthError.superseded`.
    ///
    /// - Throws: Errors from the store, or `OAuthError.superseded` if the user has signed out or in again before the
    ///   token was stored.
    public func adopt(_ token: OAuthToken) async throws { try await finishSignIn(startSignIn()) { _ in token } }

    /// Deletes the token from memory and the store.
    ///
    /// Pending sign-ins end with `OAuthError.superseded`. If a refresh is in progress, this method waits for the refresh
    /// and deletes the new token, too. If the configuration has a ``OAuthConfiguration/revocationEndpoint``, the session
    /// then revokes the token (RFC 7009), so that the server accepts no copy of the token. The user is signed out even
    /// if the revocation fails.
    ///
    /// - Throws: Errors from the store, in which case the token remains stored; or `OAuthError` if the token wasn't
    ///   revoked.
    public func signOut() async throws {
        startSignIn()
        let token = try await alone { session in
            let token = await session.newestToken()
            try await session.forget()
            return token
        }
        guard let token, configuration.revocationEndpoint != nil else { return }
        // There is no copy of it left to try again with.
        try await Task.start(on: client.scheduler) { [client] in try await client.revoke(token) }.value
    }

    /// The server's most recent token; a stored token that can't be read is ignored.
    private func newestToken() async -> OAuthToken? {
        let stored = try? await store.load()
        // It could not be stored.
        if let unsaved, unsaved.over == stored { return unsaved.token }
        return stored ?? token
    }

    /// Signs in with the given grant, and stores the token.
    ///
    /// A pending sign-in ends with `OAuthError.superseded`.
    ///
    /// - Returns: The token, which the session has stored.
    /// - Throws: `OAuthError`, errors from the store, and `CancellationError`.
    @discardableResult
    public func signIn(with grant: Grant) async throws -> OAuthToken { try await signIn(startSignIn(), with: grant) }
}

extension OAuthSession {
    nonisolated func isFresh(_ token: OAuthToken) -> Bool {
        !token.isExpired(at: configuration.now(), skew: configuration.expirySkew)
    }

    /// Returns whether a token can sign requests: only the server knows whether one that can't be refreshed has expired.
    nonisolated func isUsable(_ token: OAuthToken) -> Bool {
        if isFresh(token) || configuration.tokenEndpoint == nil { return true }
        return token.refreshToken == nil && unattendedGrant == nil
    }

    /// The reason why there is no token.
    var signedOutError: OAuthError {
        if let error = refusal?.error, error.endsSession { error } else { .notSignedIn }
    }

    /// Returns whether a token has actually expired, without the early margin.
    nonisolated func isOver(_ token: OAuthToken) -> Bool { token.isExpired(at: configuration.now(), skew: 0) }

    /// Runs work exclusively, and completes it even if the caller's task is cancelled.
    ///
    /// A new token must reach the store, because the server sends it only once.
    func alone<Result: Sendable>(
        _ work: @escaping @Sendable (OAuthSession) async throws -> Result
    ) async throws -> Result {
        try await Task.start(on: client.scheduler) { [self] in
            try await lock.withLock {
                try await store.exclusively { try await work(self) }
            }
        }.value
    }

    /// Advances the account if the token belongs to a different sign-in.
    private func noteSignIn() {
        guard let token else { return }
        if token.refreshToken != refusal?.refreshToken { refusal = nil }
        if let seen, seen != token.signIn { account += 1 }
        seen = .some(token.signIn)
    }

    /// Stores the token that replaces another one, and returns it as stored.
    func keep(_ token: OAuthToken, inPlaceOf former: OAuthToken?, as signIn: UUID) async throws -> OAuthToken {
        var kept = token
        kept.refreshToken = token.refreshToken ?? former?.refreshToken
        kept.scope = token.scope ?? former?.scope
        kept.extra["id_token"] = token.extra["id_token"] ?? former?.extra["id_token"]
        kept.signIn = signIn
        // A token that was stored before IDs existed gets one now, and stays the same account.
        if let former, former.signIn == nil { seen = .some(signIn) }
        try await keep(kept)
        return kept
    }

    func keep(_ token: OAuthToken) async throws {
        let seen = self.token
        self.token = token
        unsaved = (token, over: seen)
        do {
            try await store.save(token)
        } catch {
            unsaved = (token, over: await stored(or: seen))
            throw error
        }
        unsaved = nil
    }

    /// Stores a token that could not be stored before, unless another program has signed in or out since.
    func keepUnsaved() async throws {
        guard let (token, former) = unsaved else { return }
        if try await store.load() == former { return try await keep(token) }
        unsaved = nil
    }

    private func stored(or seen: OAuthToken?) async -> OAuthToken? {
        do { return try await store.load() } catch { return seen }
    }

    /// Signs in with a token.
    func begin(with token: OAuthToken) async throws {
        account += 1
        refusal = nil
        var token = token
        token.signIn = UUID()
        try await keep(token)
    }

    /// Deletes the token, after the user has signed out or the server has refused it.
    func forget(after refusal: RefusedRefresh? = nil) async throws {
        self.refusal = refusal
        try await store.delete()
        account += 1
        token = nil
        unsaved = nil
    }
}

extension OAuthSession: CustomReflectable {
    /// A mirror that contains only the configuration, because a redirect that is being handled contains a code.
    public nonisolated var customMirror: Mirror { Mirror(self, children: ["configuration": configuration]) }
}
