import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingOAuth

/// The scope in token responses.
@Suite(.timeLimit(.minutes(5)))
struct ScopeTests {
    private let server = StubTransport()

    private func session(_ store: any CredentialStore = MemoryCredentialStore()) -> OAuthSession {
        OAuthSession(Example.configuration, store: store) { $0.transport = server }
    }

    @Test(
        arguments: [
            (#""user:read chat:read""#, "user:read chat:read"), (#"["user:read","chat:read"]"#, "user:read chat:read"),
            (#"["user:read", null, 7, "", {}]"#, "user:read 7"), (#""repo,gist""#, "repo,gist"), ("7", "7"),
            ("[]", nil), (#""""#, nil), ("null", nil), ("true", nil), ("{}", nil),
        ] as [(String, String?)]
    )
    func theScopeMayBeAList(json: String, scope: String?) async throws {
        server.on("/token", .json(#"{"access_token":"a","scope":\#(json)}"#))
        #expect(try await session().signIn(with: .clientCredentials).scope == scope)
    }

    @Test(
        arguments: [
            (#""scope":"a""#, "a"), (#""scope":["a"]"#, "a"), (#""scope":["b","a"]"#, "b a"),
            (#""scope":null"#, "a b c"),
            (#""scope":"""#, "a b c"), (#""scope":[]"#, "a b c"), (#""n":1"#, "a b c"),
        ]
    )
    func aRefreshNarrowsTheScopeThatItNames(member: String, scope: String) async throws {
        server.on("/token", .replies(.json(#"{"access_token":"new",\#(member)}"#), .json(#"{"access_token":"newer"}"#)))
        var token = Example.fresh()
        token.scope = "a b c"
        let store = MemoryCredentialStore(token)
        let session = session(store)
        let second = try await session.refresh(token)
        #expect(second.scope == scope)
        // A later refresh without a scope keeps it.
        #expect(try await session.refresh(second).scope == scope)
        #expect(await store.load()?.scope == scope)
    }

    @Test(arguments: [
        (#""access_token": 12345678901234567890"#, "12345678901234567890"), (#""access_token": 7"#, "7"),
    ])
    func aTokenMayBeANumber(member: String, token: String) async throws {
        server.on("/token", .json("{\(member), \"refresh_token\": 8, \"user_id\": 9007199254740993, \"f\": 1.5}"))
        let received = try await session().signIn(with: .clientCredentials)
        #expect(received.accessToken == Secret(token))
        #expect(received.refreshToken == Secret("8"))
        #expect(received.extra == ["user_id": Secret("9007199254740993")])
    }
}
