import Foundation
import SimpleNetworking
import SimpleNetworkingCaching
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

    /// Such a request never uses the network, not even for a token.
    @Test(arguments: [true, false], [true, false])
    func aRequestForAStoredResponseGetsNoToken(isPolicy: Bool, hasMiddleware: Bool) async throws {
        struct Passing: Middleware {
            func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
                try await next(request)
            }
        }
        let server = StubTransport()
            .on("/token", .json(#"{"access_token":"SERVICE","token_type":"Bearer","expires_in":3600}"#))
            .on("/x", .text("stored", headers: ["Cache-Control": "max-age=60"]))
        let session = OAuthSession(Example.configuration, unattendedGrant: .clientCredentials) {
            $0.transport = server
        }
        let api = SimpleNetworking(over: server, through: hasMiddleware ? [Passing()] : []) {
            $0.authenticator = session
            $0.cache = ResponseCache()
        }
        func ask() async -> Result<SimpleResponse, SimpleNetworkingError> {
            let request = SimpleNetworking.get("/x")
            if isPolicy { request.cachePolicy(.onlyCached) } else { request.header("Cache-Control", "only-if-cached") }
            return await request.execute(on: api).ended()
        }
        guard case .failure(.notCached) = await ask() else { throw OAuthError.noRefreshToken }
        #expect(server.requests.isEmpty)
        await api.get("/x").ended()
        #expect(try await ask().get().text == "stored")
        #expect(server.log == ["POST /token", "GET /x"])
    }
}
