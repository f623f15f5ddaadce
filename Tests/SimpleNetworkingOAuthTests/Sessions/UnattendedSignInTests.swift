import Foundation
import SimpleNetworking
import SimpleNetworkingOAuth
import SimpleNetworkingTesting
import Testing

/// A session that gets a token without a user, while a user signs in.
@Suite(.timeLimit(.minutes(5)))
struct UnattendedSignInTests {
    @Test
    func aRequestOfTheServiceIsNotSentAgainAsTheUser() async throws {
        for _ in 0..<200 {
            let gate = Gate()
            let server = StubTransport()
                .on("/token", .json(#"{"access_token":"SERVICE","expires_in":3600}"#).after(gate))
                .on("/x") { $0.headers["Authorization"] == "Bearer USER" ? .json("{}") : .status(401) }
            let session = OAuthSession(Example.configuration, unattendedGrant: .clientCredentials) {
                $0.transport = server
            }
            let api = SimpleNetworking(over: server) {
                $0.authenticator = session
                $0.refreshTimeout = 600
            }
            let request = api.get("/x")
            await gate.arrivals(1)
            let signIn = Task { try await session.adopt(Example.fresh("USER")) }
            gate.open()
            await request.ended()
            try await signIn.value
            let sent = server.requests(to: "/x").map { $0.headers["Authorization"] }
            try #require(sent != ["Bearer SERVICE", "Bearer USER"])
        }
    }
}
