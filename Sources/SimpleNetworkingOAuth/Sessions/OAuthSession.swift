/// Signs one account in, keeps its token, and renews it: once, whoever asks, in this program and in others that share the
/// store.
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
    private let turnstile = Turnstile()
    /// The token as it was last seen in the store.
    var token: OAuthToken? { didSet { changes += 1 } }
    private var changes = 0
    /// Changes with each sign-in and sign-out.
    var account = 0
    /// A token that the store did not take: it may be the only one that can still be renewed.
    var unsaved: OAuthToken?
    /// The renewal that runs, whose end all who ask meanwhile share: its token, or its failure.
    var renewal: Task<OAuthToken, any Error>?
    /// The sign-in that waits for its redirect.
    var waiting: WaitingSignIn?

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - configuration: The server and the program.
    ///   - store: Where the token is kept. The default is memory.
    ///   - unattendedGrant: What a token is had with where there is none and no refresh token, without a user, such as
    ///     `.clientCredentials`. The default is nil: then the user has to sign in.
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

    /// Gives the token that is kept, expired or not, or nil if there is none; asks no server.
    ///
    /// - Throws: what the store throws.
    public func storedToken() async throws -> OAuthToken? {
        if let token { return token }
        let before = changes
        let loaded = try await store.load()
        // Meanwhile somebody may have signed in, or out.
        if changes == before { token = loaded }
        return token
    }

    /// Gives a token that can be used, renewed if it has expired.
    ///
    /// One that is about to expire is given as it is if the server cannot be reached to renew it.
    ///
    /// - Throws: `OAuthError`: `.notSignedIn` without a token, or why it could not be renewed; and what the store throws.
    public func currentToken() async throws -> OAuthToken {
        let kept = try await storedToken()
        if let kept, isFresh(kept), unsaved == nil { return kept }
        if kept == nil, unattendedGrant == nil { throw OAuthError.notSignedIn }
        do {
            return try await renew(inPlaceOf: nil)
        } catch let error as OAuthError where error.isTransient {
            guard let kept, !kept.isExpired(at: configuration.now(), skew: 0) else { throw error }
            return kept
        }
    }

    /// Keeps a token that was had elsewhere, in place of the one before.
    ///
    /// - Throws: what the store throws.
    public func adopt(_ token: OAuthToken) async throws {
        try await alone { session in try await session.begin(with: token) }
    }

    /// Forgets the token, here and in the store; a renewal that runs is waited for, and its token forgotten too.
    ///
    /// - Throws: what the store throws; the token is then still there.
    public func signOut() async throws {
        try await alone { session in try await session.forget() }
    }

    /// Gets a token with a grant and keeps it.
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

    /// Does something to its end, one after another, whatever becomes of the task that asks for it: a token that the server
    /// has given away once must reach the store.
    func alone<Result: Sendable>(
        _ work: @escaping @Sendable (OAuthSession) async throws -> Result
    ) async throws -> Result {
        try await Task {
            await turnstile.enter()
            do {
                let result = try await store.exclusively { try await work(self) }
                await turnstile.leave()
                return result
            } catch {
                await turnstile.leave()
                throw error
            }
        }.value
    }

    func keep(_ token: OAuthToken) async throws {
        self.token = token
        unsaved = token
        try await store.save(token)
        unsaved = nil
    }

    /// Somebody has signed in.
    private func begin(with token: OAuthToken) async throws {
        account += 1
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
    /// Shows the server and the program alone: a redirect on its way to a sign-in holds a code.
    public nonisolated var customMirror: Mirror { Mirror(self, children: ["configuration": configuration]) }
}
