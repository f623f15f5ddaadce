import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingOAuth

/// RFC 8693: a token for another one.
@Suite(.timeLimit(.minutes(5)))
struct TokenExchangeTests {
    private let server = StubTransport()

    private func form(_ grant: Grant) async throws -> [String: String] {
        server.on("*", .json(#"{"access_token": "a", "token_type": "N_A", "issued_token_type": "t"}"#))
        let client = TokenClient(Example.configuration) { [server] in
            $0.transport = server
            $0.clock = VirtualClock()
        }
        let token = try await client.token(for: grant)
        #expect(token.extra["issued_token_type"] == Secret("t"))
        return try #require(server.requests.first).form
    }

    @Test
    func theLeastIsASubject() async throws {
        #expect(
            try await form(.tokenExchange(Secret("s"))) == [
                "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": "s",
                "subject_token_type": "urn:ietf:params:oauth:token-type:access_token", "client_id": "notes",
            ]
        )
    }

    @Test
    func allParametersAreSent() async throws {
        let grant = Grant.tokenExchange(
            Secret("s"),
            as: .idToken,
            actor: (Secret("me"), .jwt),
            requesting: .saml2,
            audiences: ["x", "y"],
            resources: [Example.url("https://r.example")]
        )
        let type = "urn:ietf:params:oauth:token-type:"
        #expect(
            try await form(grant) == [
                "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": "s",
                "subject_token_type": type + "id_token", "actor_token": "me", "actor_token_type": type + "jwt",
                "requested_token_type": type + "saml2", "audience": "x,y", "resource": "https://r.example",
                "client_id": "notes",
            ]
        )
    }
}
