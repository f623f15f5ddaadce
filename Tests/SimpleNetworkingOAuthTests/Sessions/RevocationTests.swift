import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingOAuth

/// RFC 7009: a token that is signed out is of no use to anybody.
@Suite(.timeLimit(.minutes(5)))
struct RevocationTests {
    private let server = StubTransport()

    private func session(
        _ token: OAuthToken,
        isOffered: Bool = true,
        host: String = "login.example.com",
        store: any CredentialStore = MemoryCredentialStore()
    ) async throws -> OAuthSession {
        var configuration = Example.configuration
        configuration.clientSecret = Secret("s3cret")
        configuration.revocationEndpoint = isOffered ? Example.url("https://\(host)/revoke") : nil
        let session = OAuthSession(configuration, store: store) { [server] in
            $0.transport = server
            $0.clock = VirtualClock()
        }
        try await session.adopt(token)
        return session
    }

    @Test(arguments: [
        ("r1", [["r1", "refresh_token"], ["old", "access_token"]]), (nil, [["old", "access_token"]]),
    ])
    func bothTokensAreRevoked(refresh: String?, tokens: [[String]]) async throws {
        server.on(.post, "/revoke", .status(200))
        let session = try await session(Example.fresh(refresh: refresh))
        try await session.signOut()
        #expect(server.requests.map { [$0.form["token"] ?? "", $0.form["token_type_hint"] ?? ""] } == tokens)
        for request in server.requests { #expect(request.headers["Authorization"]?.hasPrefix("Basic ") == true) }
        #expect(try await session.storedToken() == nil)
    }

    @Test
    func aServerThatCannotRevokeAccessTokensIsEnough() async throws {
        server.on(.post, "/revoke", .replies(.status(200), .json(#"{"error": "unsupported_token_type"}"#, status: 400)))
        try await session(Example.fresh()).signOut()
        #expect(server.requests.count == 2)
    }

    /// A server may have its endpoints on several hosts.
    @Test
    func theProgramAuthenticatesAtAnotherHostToo() async throws {
        server.on("*", .status(200))
        let session = try await session(Example.fresh(), host: "revoke.example.com")
        try await session.signOut()
        #expect(server.requests.first?.url.host == "revoke.example.com")
        #expect(server.requests.first?.headers["Authorization"]?.hasPrefix("Basic ") == true)
    }

    @Test(arguments: [
        (StubResponse.status(503), "unavailable"), (.failure(.offline), "unavailable"),
        (.json(#"{"error": "unsupported_token_type"}"#, status: 400), "unsupported_token_type"),
        (.status(404), "invalidResponse"),
    ])
    func aFailureIsToldAndTheUserIsSignedOut(response: StubResponse, name: String) async throws {
        server.on(.post, "/revoke", response)
        let session = try await session(Example.fresh())
        #expect(await oauthError { try await session.signOut() }?.name == name)
        #expect(try await session.storedToken() == nil)
    }

    @Test
    func withoutAnEndpointOrATokenNothingIsSent() async throws {
        try await session(Example.fresh(), isOffered: false).signOut()
        let session = try await session(Example.fresh())
        server.on("*", .status(200))
        try await session.signOut()
        try await session.signOut()
        #expect(server.requests.count == 2)
    }

    /// The store was full when it came; only memory has it.
    @Test
    func aTokenThatCouldNotBeStoredIsRevoked() async throws {
        let store = FullStore()
        server.on(.post, "/revoke", .status(200))
        let session = try await session(Example.fresh(), store: store)
        await store.fill()
        await #expect(throws: FullStore.Full.self) { try await session.adopt(Example.fresh("new", refresh: "r2")) }
        try await session.signOut()
        #expect(server.requests.map { $0.form["token"] } == ["r2", "new"])
    }

    @Test
    func aCancelledSignOutStillRevokes() async throws {
        server.on("/revoke", .status(200))
        let session = try await session(Example.fresh())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await session.signOut()
        }
        _ = await task.result
        #expect(server.requests(to: "/revoke").count == 2)
    }
}

/// A store that keeps what it has, and takes nothing more once it is full.
private actor FullStore: CredentialStore {
    struct Full: Error {}

    private let memory = MemoryCredentialStore()
    private var isFull = false

    func fill() { isFull = true }

    func load() async throws -> OAuthToken? { await memory.load() }

    func save(_ token: OAuthToken) async throws {
        if isFull { throw Full() }
        await memory.save(token)
    }

    func delete() async throws { await memory.delete() }
}
