import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingOAuth

/// RFC 7009: a token that is signed out is of no use to anybody.
@Suite(.timeLimit(.minutes(5)))
struct RevocationTests {
    private let server = StubTransport()

    private func session(_ token: OAuthToken, isOffered: Bool = true) async throws -> OAuthSession {
        var configuration = Example.configuration
        configuration.clientSecret = Secret("s3cret")
        configuration.revocationEndpoint = isOffered ? Example.url("https://login.example.com/revoke") : nil
        let session = OAuthSession(configuration) { [server] in
            $0.transport = server
            $0.clock = VirtualClock()
        }
        try await session.adopt(token)
        return session
    }

    @Test(arguments: [
        ("r1", ["token": "r1", "token_type_hint": "refresh_token"]),
        (nil, ["token": "old", "token_type_hint": "access_token"]),
    ])
    func theRefreshTokenIsRevokedOrElseTheAccessToken(refresh: String?, form: [String: String]) async throws {
        server.on(.post, "/revoke", .status(200))
        let session = try await session(Example.fresh(refresh: refresh))
        try await session.signOut()
        let request = try #require(server.requests.first)
        #expect(request.form == form)
        #expect(request.headers["Authorization"]?.hasPrefix("Basic ") == true)
        #expect(try await session.storedToken() == nil)
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
        #expect(server.requests.count == 1)
    }
}
