/// Signs one account in, stores its token, and refreshes it: once, even if many tasks or programs share the store.
///
/// ```text
/// let session = OAuthSession(configuration, store: FileCredentialStore(file))
/// try await session.signIn { url in open(url); return nil }          later: await session.finishAuthenticating(redirect)
/// let token = try await session.currentToken()
/// let api = SimpleNetworking(baseURL: url) { $0.authenticator = session }
/// ```
public actor OAuthSession {
    /// The server and the program.
    public nonisolated let configuration: OAuthConfiguration
    let client: TokenClient
    let store: any CredentialStore
    let unattendedGrant: Grant?
    private let lock = AsyncLock()
    /// The token as it was last seen in the store.
    var token: OAuthToken? {
        didSet {
            changes += 1
            noteSignIn()
        }
    }
    private var changes = 0
    /// Changes with each sign-in and sign-out, also those of other sessions that share the store.
    var account = 0
    /// The sign-in of the token that was seen last; nil before the first one.
    private var seen: UUID??
    /// A token that could not be stored, since it may hold the only valid refresh token; and what was stored then.
    private(set) var unsaved: (token: OAuthToken, over: OAuthToken?)?
    /// The current refresh, whose token or error all callers share.
    var refreshing: (number: Int, task: Task<OAuthToken, any Error>)?
    /// How many refreshes have begun.
    var refreshes = 0
    /// The sign-in that waits for its redirect.
    var waiting: WaitingSignIn?

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - configuration: The server and the program.
    ///   - store: Where the token is stored. The default is memory.
    ///   - unattendedGrant: The grant that gets a token without the user when there is no refresh token, such as
    ///     `.clientCredentials`. The default is nil: the user has to sign in.
    ///   - configure: Changes the settings of the HTTP client for token requests, such as its `transport`.
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

    /// Returns the stored token, expired or not, or nil if there is none; sends nothing.
    ///
    /// - Throws: errors of the store.
    public func storedToken() async throws -> OAuthToken? {
        if let token { return token }
        let before = changes
        let loaded = try await store.load()
        // Unless a sign-in or sign-out has happened meanwhile.
        if changes == before { token = loaded }
        return token
    }

    /// Returns a valid token, refreshed if it has expired.
    ///
    /// If the server is unavailable, a token that is about to expire is returned as it is.
    ///
    /// - Throws: `OAuthError`: `.notSignedIn` without a token, or why it could not be refreshed; and errors of the
    ///   store.
    public func currentToken() async throws -> OAuthToken {
        let kept = try await storedToken()
        if let kept, isFresh(kept), unsaved == nil { return kept }
        if kept == nil, unattendedGrant == nil { throw OAuthError.notSignedIn }
        do {
            return try await refresh(replacing: nil)
        } catch let error as OAuthError where error.isTransient {
            guard let kept, !isOver(kept) else { throw error }
            return kept
        }
    }

    /// Stores a token from elsewhere, and so signs in with it.
    ///
    /// - Throws: errors of the store.
    public func adopt(_ token: OAuthToken) async throws {
        try await alone { session in try await session.begin(with: token) }
    }

    /// Deletes the token, here and in the store; waits for a current refresh, and deletes its token too.
    ///
    /// With a ``OAuthConfiguration/revocationEndpoint``, it then revokes the token (RFC 7009), so that the server accepts
    /// no copy of it. The user is signed out even if that fails.
    ///
    /// - Throws: errors of the store; the token is then still there. Or `OAuthError`, if the token wasn't revoked.
    public func signOut() async throws {
        let token = try await alone { session in
            // Another program may have refreshed it; one that can't be read is deleted as well.
            let stored = try? await session.store.load()
            let seen = await session.token
            try await session.forget()
            return stored ?? seen
        }
        if let token, configuration.revocationEndpoint != nil { try await client.revoke(token) }
    }

    /// Signs in with a grant, and stores the token.
    @discardableResult
    public func signIn(with grant: Grant) async throws -> OAuthToken {
        try await alone { session in
            let token = try await session.client.token(for: grant)
            try await session.begin(with: token)
            return token
        }
    }
}

extension OAuthSession {
    nonisolated func isFresh(_ token: OAuthToken) -> Bool {
        !token.isExpired(at: configuration.now(), skew: configuration.expirySkew)
    }

    /// Tells whether a token has expired for good, not just early.
    nonisolated func isOver(_ token: OAuthToken) -> Bool { token.isExpired(at: configuration.now(), skew: 0) }

    /// Does some work when it is its turn, and completes it even if the caller's task is cancelled: a new token must
    /// reach the store, since the server sends it once.
    func alone<Result: Sendable>(
        _ work: @escaping @Sendable (OAuthSession) async throws -> Result
    ) async throws -> Result {
        try await Task.start(on: client.scheduler) { [self] in
            try await lock.withLock {
                try await store.exclusively { try await work(self) }
            }
        }.value
    }

    /// Counts another account if the token belongs to another sign-in than the one before.
    private func noteSignIn() {
        guard let token else { return }
        if let seen, seen != token.signIn { account += 1 }
        seen = .some(token.signIn)
    }

    /// Keeps the token that takes the place of another one, and returns it as it is stored.
    func keep(_ token: OAuthToken, inPlaceOf former: OAuthToken?, as signIn: UUID) async throws -> OAuthToken {
        var kept = token
        kept.refreshToken = token.refreshToken ?? former?.refreshToken
        kept.scope = token.scope ?? former?.scope
        kept.extra["id_token"] = token.extra["id_token"] ?? former?.extra["id_token"]
        kept.signIn = signIn
        // One that was stored before there were ids gets its own now, and stays the same account.
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
    private func begin(with token: OAuthToken) async throws {
        account += 1
        var token = token
        token.signIn = UUID()
        try await keep(token)
    }

    func forget() async throws {
        try await store.delete()
        account += 1
        token = nil
        unsaved = nil
    }
}

extension OAuthSession: CustomReflectable {
    /// Shows the configuration alone: a redirect that is being handled holds a code.
    public nonisolated var customMirror: Mirror { Mirror(self, children: ["configuration": configuration]) }
}
