import Foundation
import SimpleNetworkingOAuth
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OAuthSessionTests {
    private let server = StubTransport()
    private let reply = StubResponse.json(#"{"access_token":"new","refresh_token":"r2","expires_in":3600}"#)

    private func session(
        _ store: any CredentialStore,
        unattendedGrant: Grant? = nil
    ) -> OAuthSession {
        OAuthSession(Example.configuration, store: store, unattendedGrant: unattendedGrant) { $0.transport = server }
    }

    // MARK: - Asking

    @Test
    func aFreshTokenIsGivenAsItIs() async throws {
        let session = session(MemoryCredentialStore(Example.fresh()))
        #expect(try await session.currentToken() == Example.fresh())
        #expect(server.log.isEmpty)
    }

    @Test
    func withoutATokenTheSessionIsNotSignedIn() async throws {
        let session = session(MemoryCredentialStore())
        #expect(try await session.storedToken() == nil)
        #expect(await oauthError { try await session.currentToken() }?.name == "notSignedIn")
        #expect(await oauthError { try await session.refresh(Example.fresh()) }?.name == "notSignedIn")
        #expect(server.log.isEmpty)
    }

    @Test
    func anExpiredTokenIsRefreshedBeforeItIsGiven() async throws {
        server.on(.post, "/token", reply)
        let store = MemoryCredentialStore(Example.expired())
        let session = session(store)
        #expect(try await session.storedToken() == Example.expired())
        let token = try await session.currentToken()
        #expect(token.accessToken == Secret("new"))
        #expect(await store.load() == token)
        #expect(
            server.requests.map(\.form) == [
                ["grant_type": "refresh_token", "refresh_token": "r1", "client_id": "notes"]
            ]
        )
        #expect(try await session.currentToken() == token)
        #expect(server.requests.count == 1)
    }

    /// This machine's clock may be wrong.
    @Test
    func aTokenWithoutARefreshTokenIsGivenUntilTheServerRejectsIt() async throws {
        let token = Example.expired(refresh: nil)
        let store = MemoryCredentialStore(token)
        let session = session(store)
        #expect(try await session.currentToken() == token)
        #expect(await oauthError { try await session.refresh(token) }?.name == "noRefreshToken")
        #expect(await store.load() == token)
        #expect(server.log.isEmpty)
    }

    /// A token whose life of an hour has so many seconds left.
    @Test(arguments: [(59, true), (1, true), (0, false), (-1, false)])
    func aTokenThatIsAboutToExpireBridgesAnOutage(left: Double, isGiven: Bool) async throws {
        server.on(.post, "/token", .status(503))
        let token = OAuthToken(
            accessToken: Secret("old"),
            refreshToken: Secret("r1"),
            receivedAt: Example.start.addingTimeInterval(left - 3600),
            expiresIn: 3600
        )
        let session = session(MemoryCredentialStore(token))
        let outcome = Locked<OAuthToken?>(nil)
        let error = await oauthError {
            let given = try await session.currentToken()
            outcome.withLock { $0 = given }
        }
        #expect(error?.name == (isGiven ? nil : "unavailable"))
        #expect(outcome.withLock { $0 } == (isGiven ? token : nil))
        #expect(server.requests.count == 1)
    }

    // MARK: - Refreshing

    @Test
    func theOldRefreshTokenIsKeptIfNoneComes() async throws {
        server.on(.post, "/token", .json(#"{"access_token":"new"}"#))
        let store = MemoryCredentialStore(Example.fresh())
        let token = try await session(store).refresh(Example.fresh())
        #expect(token.refreshToken == Secret("r1"))
        #expect(await store.load() == token)
    }

    @Test
    func aHundredRefusalsRefreshOnce() async throws {
        server.on(.post, "/token", reply, times: 1)
        let session = session(MemoryCredentialStore(Example.fresh()))
        let tokens = try await withThrowingTaskGroup(of: OAuthToken.self) { group in
            for _ in 0..<100 { group.addTask { try await session.refresh(Example.fresh()) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(tokens.map(\.accessToken) == [Secret("new")])
        #expect(server.requests.count == 1)
    }

    @Test
    func refreshErrorEndsAllWaitingCalls() async throws {
        let gate = Gate()
        server.on(.post, "/token", .status(503).after(gate))
        let session = session(MemoryCredentialStore(Example.fresh()))
        let asking = Recorder<Void>()
        let tasks = (0..<100).map { _ in
            Task {
                asking.add(())
                return await oauthError { try await session.refresh(Example.fresh()) }
            }
        }
        while asking.elements.count < 100 { await Task.yield() }
        for _ in 0..<200 { _ = await session.isAuthenticating }
        gate.open()
        for task in tasks { #expect(await task.value?.name == "unavailable") }
        // One; some more if a task has not come as far as the session, on a busy machine.
        #expect(server.requests.count < 10)
    }

    @Test
    func refreshThatBeganBeforeTheRefusalIsRepeated() async throws {
        let gate = Gate()
        server.on(.post, "/token", StubResponse.json(#"{"access_token":"a","expires_in":3600}"#).after(gate), times: 1)
            .on(.post, "/token", .json(#"{"access_token":"b","expires_in":3600}"#))
        let session = session(MemoryCredentialStore(Example.expired()))
        let early = Task { try await session.currentToken() }
        await gate.arrivals(1)
        let refused = Task { try await session.refresh(Example.fresh("a")) }
        gate.open()
        #expect(try await early.value.accessToken == Secret("a"))
        #expect(try await refused.value.accessToken == Secret("b"))
    }

    @Test
    func tokenStoredByAnotherProgramIsReturned() async throws {
        let store = MemoryCredentialStore(Example.fresh("old"))
        let session = session(store)
        #expect(try await session.currentToken().accessToken == Secret("old"))
        await store.save(Example.fresh("other", refresh: "r9"))
        #expect(try await session.refresh(Example.fresh("old")).accessToken == Secret("other"))
        #expect(try await session.currentToken().accessToken == Secret("other"))
        #expect(server.log.isEmpty)
    }

    @Test
    func expiredTokenStoredByAnotherProgramIsRefreshed() async throws {
        server.on(.post, "/token", reply)
        let store = MemoryCredentialStore(Example.expired("other", refresh: "r9"))
        #expect(try await session(store).refresh(Example.fresh("old")).accessToken == Secret("new"))
        #expect(server.requests.map { $0.form["refresh_token"] } == ["r9"])
    }

    @Test
    func refreshedTokenIsStoredWhenItsCallerIsCancelled() async throws {
        let gate = Gate()
        server.on(.post, "/token", reply.after(gate))
        let store = MemoryCredentialStore(Example.fresh())
        let session = session(store)
        let task = Task { try await session.refresh(Example.fresh()) }
        await gate.arrivals(1)
        task.cancel()
        gate.open()
        _ = try? await task.value
        #expect(await store.load()?.refreshToken == Secret("r2"))
    }

    @Test
    func aTokenThatCannotBeStoredIsNotLost() async throws {
        server.on(.post, "/token", reply, times: 1)
        let store = FullStore(Example.fresh())
        let session = session(store)
        await #expect(throws: FullStore.Full.self) { try await session.refresh(Example.fresh()) }
        await #expect(throws: FullStore.Full.self) { try await session.currentToken() }
        await store.makeRoom()
        #expect(try await session.currentToken().accessToken == Secret("new"))
        #expect(await store.token?.refreshToken == Secret("r2"))
        #expect(server.requests.count == 1)
    }

    /// What another program has stored meanwhile is newer.
    @Test(arguments: [Example.fresh("other", refresh: "r9"), nil])
    func aTokenThatCouldNotBeStoredReplacesNoOtherSignInOrSignOut(other: OAuthToken?) async throws {
        server.on(.post, "/token", reply, times: 1)
        let store = FullStore(Example.fresh())
        let session = session(store)
        await #expect(throws: FullStore.Full.self) { try await session.refresh(Example.fresh()) }
        await store.makeRoom(for: other)
        if let other {
            #expect(try await session.currentToken() == other)
        } else {
            #expect(await oauthError { try await session.currentToken() }?.name == "notSignedIn")
        }
        #expect(await store.token == other)
        #expect(server.requests.count == 1)
    }

    /// Some servers give the same access token until it expires.
    @Test
    func refreshThatBringsTheSameTokenIsRepeatedOnceForAll() async throws {
        let gate = Gate()
        let same = StubResponse.json(#"{"access_token":"old","expires_in":3600}"#)
        server.on(.post, "/token", same.after(gate), times: 1).on(.post, "/token", same)
        let session = session(MemoryCredentialStore(Example.fresh()))
        let first = Task { try await session.refresh(Example.fresh()) }
        await gate.arrivals(1)
        let others = (0..<20).map { _ in Task { try await session.refresh(Example.fresh()) } }
        for _ in 0..<200 { _ = await session.isAuthenticating }
        gate.open()
        for task in others + [first] { #expect(try await task.value.accessToken == Secret("old")) }
        // Two; some more if a task has not come as far as the session, on a busy machine.
        #expect(server.requests.count < 6)
    }

    // MARK: - Refusals

    @Test(arguments: [
        (StubResponse.status(500), "unavailable"), (.status(503), "unavailable"), (.status(429), "unavailable"),
        (.status(408), "unavailable"), (.status(425), "unavailable"),
        (.status(403, headers: ["Retry-After": "60"]), "unavailable"), (.status(302), "invalidResponse"),
        (.failure(NetworkFailure(.offline)), "unavailable"), (.text("<html>"), "invalidResponse"),
        (.json("{}"), "missingToken"), (.json(#"{"error":"invalid_grant"}"#, status: 500), "unavailable"),
        (.json(#"{"error":"temporarily_unavailable"}"#, status: 400), "temporarily_unavailable"),
        (.json(#"{"error":"slow_down"}"#, status: 400), "slow_down"),
    ])
    func temporaryErrorKeepsTheUserSignedIn(response: StubResponse, name: String) async throws {
        server.on(.post, "/token", response, times: 1).on(.post, "/token", reply)
        let store = MemoryCredentialStore(Example.fresh())
        let session = session(store)
        #expect(await oauthError { try await session.refresh(Example.fresh()) }?.name == name)
        #expect(await store.load() == Example.fresh())
        #expect(try await session.refresh(Example.fresh()).accessToken == Secret("new"))
    }

    @Test
    func aRefreshTokenThatIsWorthNothingIsForgotten() async throws {
        server.on(.post, "/token", .json(#"{"error":"invalid_grant"}"#, status: 400))
        let store = MemoryCredentialStore(Example.fresh())
        let session = session(store)
        #expect(await oauthError { try await session.refresh(Example.fresh()) }?.endsSession == true)
        #expect(await store.load() == nil)
        #expect(try await session.storedToken() == nil)
        // The reason why there is no token, until the user signs in or out.
        #expect(await oauthError { try await session.currentToken() }?.name == "invalid_grant")
        #expect(await oauthError { try await session.refresh(Example.fresh()) }?.name == "invalid_grant")
        #expect(server.requests.count == 1)
        try await session.signOut()
        #expect(await oauthError { try await session.currentToken() }?.name == "notSignedIn")
    }

    @Test
    func loserOfARefreshRaceWithoutALockUsesTheStoredToken() async throws {
        let store = MemoryCredentialStore(Example.fresh())
        server.on(.post, "/token") { _ in
            // Another program was faster.
            await store.save(Example.fresh("other", refresh: "r9"))
            return .json(#"{"error":"invalid_grant"}"#, status: 400)
        }
        #expect(try await session(store).refresh(Example.fresh()).accessToken == Secret("other"))
        #expect(await store.load()?.refreshToken == Secret("r9"))
    }

    // MARK: - Without a user

    @Test
    func serviceWithoutARefreshTokenRequestsANewToken() async throws {
        server.on(.post, "/token") { request in
            #expect(request.form["grant_type"] == "client_credentials")
            return .json(#"{"access_token":"service","expires_in":3600}"#)
        }
        let session = session(MemoryCredentialStore(), unattendedGrant: .clientCredentials)
        let token = try await session.currentToken()
        #expect(token.accessToken == Secret("service"))
        #expect(try await session.currentToken() == token)
        #expect(server.requests.count == 1)
        _ = try await session.refresh(token)
        #expect(server.requests.count == 2)
    }

    @Test
    func serviceWithARefusedRefreshTokenRequestsANewToken() async throws {
        server.on(.post, "/token") { request in
            request.form["grant_type"] == "refresh_token"
                ? .json(#"{"error":"invalid_grant"}"#, status: 400) : .json(#"{"access_token":"service"}"#)
        }
        let session = session(MemoryCredentialStore(Example.expired()), unattendedGrant: .clientCredentials)
        let token = try await session.currentToken()
        #expect(token.accessToken == Secret("service"))
        #expect(token.refreshToken == nil)
        #expect(server.requests.count == 2)
    }

    // MARK: - Coming and going

    @Test
    func signingInWithAPasswordStoresTheToken() async throws {
        server.on(.post, "/token", reply)
        let store = MemoryCredentialStore()
        let session = session(store)
        let token = try await session.signIn(user: "ada", password: Secret("pa55word"))
        #expect(await store.load() == token)
        #expect(try await session.currentToken() == token)
        #expect(server.requests.first?.form["password"] == "pa55word")
    }

    @Test
    func aTokenFromElsewhereIsAdopted() async throws {
        let store = MemoryCredentialStore(Example.fresh("a"))
        let session = session(store)
        _ = try await session.currentToken()
        try await session.adopt(Example.fresh("b"))
        #expect(try await session.currentToken().accessToken == Secret("b"))
        #expect(await store.load()?.accessToken == Secret("b"))
    }

    @Test
    func signingOutForgetsTheTokenHereAndInTheStore() async throws {
        let store = MemoryCredentialStore(Example.fresh())
        let session = session(store)
        _ = try await session.currentToken()
        try await session.signOut()
        #expect(await store.load() == nil)
        #expect(try await session.storedToken() == nil)
        #expect(await oauthError { try await session.refresh(Example.fresh()) }?.name == "notSignedIn")
    }

    @Test
    func aRefreshThatRunsDoesNotOutliveSigningOut() async throws {
        let gate = Gate()
        server.on(.post, "/token", reply.after(gate))
        let store = MemoryCredentialStore(Example.fresh())
        let session = session(store)
        let refresh = Task { try await session.refresh(Example.fresh()) }
        await gate.arrivals(1)
        let end = Task { try await session.signOut() }
        gate.open()
        _ = try await refresh.value
        try await end.value
        #expect(await store.load() == nil)
        #expect(try await session.storedToken() == nil)
    }
}

/// Takes no token before there is room.
private actor FullStore: CredentialStore {
    struct Full: Error {}

    private(set) var token: OAuthToken?
    private var isFull = true

    init(_ token: OAuthToken) { self.token = token }

    func makeRoom() { isFull = false }
    func makeRoom(for token: OAuthToken?) { (isFull, self.token) = (false, token) }
    func load() -> OAuthToken? { token }
    func delete() { token = nil }
    func save(_ token: OAuthToken) throws {
        if isFull { throw Full() }
        self.token = token
    }
}
