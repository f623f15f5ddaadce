import Foundation
import SimpleNetworking
import SimpleNetworkingOAuth
import SimpleNetworkingTesting
import Testing

/// Sessions that share a store, one of which signs another user in.
@Suite(.timeLimit(.minutes(5)))
struct SharedStoreTests {
    private let store = MemoryCredentialStore()
    private let server = StubTransport()

    private func session() -> OAuthSession {
        OAuthSession(Example.configuration, store: store) { $0.transport = server }
    }

    private func token(_ access: String) -> OAuthToken { Example.fresh(access) }

    private func api(_ session: OAuthSession) -> SimpleNetworking {
        SimpleNetworking(over: server) {
            $0.authenticator = session
            $0.refreshTimeout = 600
        }
    }

    private var sent: [String?] { server.requests(to: "/notes").map { $0.headers["Authorization"] } }

    @Test(arguments: [true, false])
    func aRequestOfOneUserIsNotSentAgainAsTheNext(signsOut: Bool) async throws {
        let (first, second) = (session(), session())
        try await first.adopt(token("ALICE"))
        let gate = Gate()
        server.on("/notes", .status(401).after(gate))
        let note = api(second).post("/notes") { $0.body(text: "Alice's private note") }
        await gate.arrivals(1)
        if signsOut { try await first.signOut() }
        try await first.adopt(token("BOB"))
        gate.open()
        let error = try #require(await note.ended().error)
        guard case .authentication(let failure) = error else { throw error }
        #expect(failure.underlying as? RefreshFailure == .signedOut)
        #expect(sent == ["Bearer ALICE"])
    }

    @Test
    func aTokenThatAnotherSessionRefreshedIsOfTheSameUser() async throws {
        let (first, second) = (session(), session())
        try await first.adopt(token("old"))
        server.on("/token", .json(#"{"access_token":"new","refresh_token":"r2","expires_in":3600}"#))
        server.on("/notes") { $0.headers["Authorization"] == "Bearer new" ? .json("{}") : .status(401) }
        _ = try await second.storedToken()
        _ = try await first.refresh(token("old"))
        #expect(await api(second).post("/notes").ended().value != nil)
        #expect(sent == ["Bearer old", "Bearer new"])
        #expect(server.requests(to: "/token").count == 1)
    }

    @Test
    func aTokenStoredWithoutAnIDIsOneAccountUntilTheNextSignIn() async throws {
        let old = #"{"accessToken":"old","refreshToken":"r1","type":"Bearer","receivedAt":0,"extra":{}}"#
        let token = try JSONDecoder().decode(OAuthToken.self, from: Data(old.utf8))
        await store.save(token)
        server.on("/token", .json(#"{"access_token":"new","refresh_token":"r2","expires_in":3600}"#))
        server.on("/notes") { $0.headers["Authorization"] == "Bearer new" ? .json("{}") : .status(401) }
        #expect(await api(session()).post("/notes").ended().value != nil)
        #expect(sent == ["Bearer old", "Bearer new"])
    }
}
