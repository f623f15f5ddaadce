import Foundation
import SimpleNetworking
import SimpleNetworkingOAuth
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OAuthSessionAuthenticatorTests {
    private let server = StubTransport()
    private let reply = StubResponse.json(#"{"access_token":"new","refresh_token":"r2","expires_in":3600}"#)

    private func session(_ token: OAuthToken?, unattendedGrant: Grant? = nil) -> OAuthSession {
        OAuthSession(
            Example.configuration,
            store: MemoryCredentialStore(token),
            unattendedGrant: unattendedGrant
        ) { $0.transport = server }
    }

    private func api(_ session: OAuthSession) -> SimpleNetworking {
        SimpleNetworking(over: server) {
            $0.authenticator = session
            // Among all tests at once, a task may wait longer than a user would.
            $0.refreshTimeout = 600
        }
    }

    private func takes(_ token: String) {
        server.on("/x") { request in
            request.headers["Authorization"] == "Bearer \(token)" ? .json("{}") : .status(401)
        }
    }

    @Test(arguments: [Example.expired(), Example.fresh()])
    func hundredRequestsWithAnUnusableTokenRefreshItOnce(token: OAuthToken) async throws {
        server.on("/token", reply)
        takes("new")
        let api = api(session(token))
        let requests = (0..<100).map { _ in api.get("/x") }
        for request in requests { #expect(await request.ended().value != nil, "\(request.trace)") }
        #expect(server.requests(to: "/token").count == 1)
    }

    /// The server revokes a token when it issues the next one, before the client has that.
    @Test
    func aRefreshForAnotherClientOfTheSessionEndsNoRequestWith401() async throws {
        let (retry, answer) = (Gate(), Gate())
        let issued = Locked(0)
        server.on("/token") { _ in
            let number = issued.withLock { issued in
                issued += 1
                return issued
            }
            if number == 2 { try await answer.wait() }
            return .json(#"{"access_token":"t\#(number)","refresh_token":"r","expires_in":3600}"#)
        }
        server.on("/refused", .status(401)).on("/x") { request in
            let carried = request.headers["Authorization"]
            if carried == "Bearer t1" { try await retry.wait() }
            return carried == "Bearer t\(issued.withLock { $0 })" ? .json("{}") : .status(401)
        }
        let session = session(Example.fresh())
        let (one, other) = (api(session), api(session))
        let request = one.get("/x")
        try await withinSeconds(120) { await retry.arrivals(1) }
        let refused = other.get("/refused")
        try await withinSeconds(120) { await answer.arrivals(1) }
        retry.open()
        try await eventually { request.trace.events.filter { $0.isRefusal }.count == 2 }
        answer.open()
        #expect(await request.ended().value?.attempt == 3, "\(request.trace)")
        #expect(await refused.ended().error?.httpStatus == 401)
        #expect(issued.withLock { $0 } == 2)
    }

    @Test
    func aRefusedRefreshSignsOutAndLaterRequestsGoOutUnsigned() async throws {
        server.on("/token", .json(#"{"error":"invalid_grant","error_description":"revoked"}"#, status: 400))
        takes("new")
        let session = session(Example.fresh())
        let api = api(session)
        let error = try #require(await api.get("/x").ended().error)
        guard case .authentication(let failure) = error else { throw error }
        #expect((failure.underlying as? OAuthError)?.name == "invalid_grant")
        #expect(error.localizedDescription.contains("revoked"))
        #expect(try await session.storedToken() == nil)
        #expect(await api.get("/x").ended().error?.httpStatus == 401)
        #expect(server.requests.last?.headers["Authorization"] == nil)
    }

    @Test
    func unavailableServerKeepsTheUserSignedIn() async throws {
        server.on("/token", .status(503))
        takes("new")
        let session = session(Example.fresh())
        let error = try #require(await api(session).get("/x").ended().error)
        guard case .authentication(let failure) = error else { throw error }
        #expect((failure.underlying as? OAuthError)?.name == "unavailable")
        #expect(try await session.storedToken() == Example.fresh())
    }

    /// Requests one after the other, and at once.
    @Test(arguments: [true, false], [Example.expired(), Example.shortest])
    func aLifetimeOfZeroSecondsCostsOneRefresh(areAtOnce: Bool, token: OAuthToken) async throws {
        server.on("/token", .json(#"{"access_token":"new","refresh_token":"r2","expires_in":0}"#))
        takes("new")
        let api = api(session(token))
        if areAtOnce {
            let requests = (0..<3).map { _ in api.get("/x") }
            for request in requests { #expect(await request.ended().value?.attempt == 1) }
        } else {
            for _ in 0..<3 { #expect(await api.get("/x").ended().value?.attempt == 1) }
        }
        #expect(server.requests(to: "/token").count == 1)
    }

    /// Only the server knows whether it has expired: the lifetime or this machine's clock may be wrong.
    @Test(arguments: ["0", "3600"], [true, false])
    func anExpiredTokenWithNothingToRefreshItIsSent(lifetime: String, isAccepted: Bool) async throws {
        server.on("/token", .json(#"{"access_token":"a","expires_in":\#(lifetime)}"#))
        takes(isAccepted ? "a" : "b")
        let session = session(nil)
        var token = try await session.signIn(with: .clientCredentials)
        if lifetime != "0" {
            token.receivedAt = Example.start.addingTimeInterval(-7200)
            token.expiresAt = Example.start.addingTimeInterval(-3600)
            try await session.adopt(token)
        }
        #expect(token.isExpired(at: Example.start))
        let end = await api(session).get("/x").ended()
        #expect(server.requests(to: "/x").map { $0.headers["Authorization"] } == ["Bearer a"])
        #expect((end.value != nil) == isAccepted)
        guard !isAccepted else { return }
        guard case .authentication(let failure)? = end.error else { throw Surprise("it ended with \(end)") }
        #expect((failure.underlying as? OAuthError)?.name == "noRefreshToken")
        #expect(server.requests(to: "/token").count == 1)
    }

    @Test
    func aTokenThatIsNoAccessTokenSignsNothing() async throws {
        let type = "urn:ietf:params:oauth:grant-type:token-exchange"
        server.on("/token", .json(#"{"access_token":"saml","token_type":"N_A","issued_token_type":"saml2"}"#))
        let session = session(nil)
        let token = try await session.signIn(with: Grant(type: type))
        #expect(token.type == "N_A" && token.extra["issued_token_type"] == Secret("saml2"))
        #expect(try await session.currentToken() == token)
        let error = try #require(await api(session).get("/x").ended().error)
        guard case .authentication(let failure) = error else { throw error }
        #expect((failure.underlying as? OAuthError)?.name == "unknownTokenType")
        #expect(server.requests(to: "/x").isEmpty)
    }

    @Test
    func aTokenIsHadWithoutAUserWhereThatIsPossible() async throws {
        server.on("/token", reply)
        takes("new")
        let api = api(session(nil, unattendedGrant: .clientCredentials))
        #expect(await api.get("/x").ended().value?.attempt == 1)
    }

    @Test
    func requestsOfThePreviousUserAreNotSentForTheNewOne() async throws {
        let gate = Gate()
        server.on("/token", reply.after(gate))
        takes("new")
        let session = session(Example.fresh())
        let request = api(session).get("/x")
        try await withinSeconds(120) { await gate.arrivals(1) }
        let switching = Task { try await session.adopt(Example.fresh("other")) }
        gate.open()
        try await switching.value
        // The refresh may land just before the other signs in; what must not be is the other's name on the request.
        _ = await request.ended()
        #expect(!server.requests.contains { $0.headers["Authorization"] == "Bearer other" })
    }
}

extension RequestEvent {
    fileprivate var isRefusal: Bool { if case .received(401, _) = kind { true } else { false } }
}
