import Foundation
import SimpleNetworking
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingOAuth

/// Refresh tokens that the server refuses, in OAuth's words or in its own.
@Suite(.timeLimit(.minutes(5)))
struct RefusedRefreshTests {
    private let server = StubTransport()
    private let reply = StubResponse.json(#"{"access_token":"new","refresh_token":"r2","expires_in":3600}"#)

    private func session(
        _ store: any CredentialStore,
        unattendedGrant: Grant? = nil,
        codes: Set<OAuthRefusal.Code> = []
    ) -> OAuthSession {
        var configuration = Example.configuration
        configuration.sessionEndingCodes = codes
        return OAuthSession(configuration, store: store, unattendedGrant: unattendedGrant) {
            $0.transport = server
            $0.clock = VirtualClock()
        }
    }

    // MARK: - Codes that end the session

    /// The response's content, its status, and what the error says.
    @Test(
        arguments: [
            (#"{"error":"invalid_grant"}"#, 400, "invalid_grant"),
            (#"{"error":"invalid_grant"}"#, 401, "invalid_grant"),
            (#"{"error":"bad_refresh_token","error_description":"incorrect or expired"}"#, 200, "incorrect or expired"),
            (
                #"{"code":400,"error_code":"refresh_token_not_found","msg":"Invalid Refresh Token: Refresh Token Not Found"}"#,
                400, "refresh_token_not_found (Invalid Refresh Token: Refresh Token Not Found)"
            ),
            (#"{"code":"refresh_token_already_used","message":"Already Used"}"#, 400, "Already Used"),
            (#"{"code":"session_not_found","message":"gone"}"#, 403, "gone"),
            (#"{"error":"interaction_required","error_description":"AADSTS50076: MFA"}"#, 400, "AADSTS50076: MFA"),
            (#"{"error":"login_required"}"#, 400, "login_required"),
            (#"{"error":"consent_required"}"#, 400, "consent_required"),
            (
                #"{"error":"invalid_request","error_description":"AADSTS700082: It has expired.","error_codes":[700082]}"#,
                400, "AADSTS700082: It has expired."
            ),
            (#"{"__type":"NotAuthorizedException","message":"Refresh Token has been revoked"}"#, 400, "revoked"),
            (#"{"__type":"com.amazonaws#NotAuthorizedException","message":"m"}"#, 400, "NotAuthorizedException (m)"),
            (#"{"ok":false,"error":"invalid_refresh_token"}"#, 200, "invalid_refresh_token"),
            (#"{"ok":false,"error":"token_revoked"}"#, 200, "token_revoked"),
            (
                #"{"error":{"code":400,"message":"TOKEN_EXPIRED","status":"INVALID_ARGUMENT"}}"#, 400,
                "INVALID_ARGUMENT (TOKEN_EXPIRED)"
            ),
            (#"{"errors":[{"errorType":"invalid_grant","message":"Refresh token invalid"}]}"#, 400, "Refresh token"),
            (
                #"{"error":"Bad Request","code":"refresh_token_not_found","message":"m"}"#, 400,
                "refresh_token_not_found"
            ),
            (#"{"detail":"Token is invalid or expired","code":"token_not_valid"}"#, 401, "invalid or expired"),
            (#"{"error":"invalid_grant","error_description":"no Bearer","token_type":"Bearer"}"#, 400, "no Bearer"),
            (#"[{"errorCode":"INVALID_GRANT","message":"expired"}]"#, 400, "INVALID_GRANT (expired)"),
        ] as [(String, Int, String)]
    )
    func aDeadRefreshTokenIsSentOnceAndForgotten(content: String, status: Int, text: String) async throws {
        server.on(.post, "/token", .json(content, status: status)).on("/x", .json("{}"))
        let store = MemoryCredentialStore(Example.expired())
        let session = session(store)
        let api = SimpleNetworking(over: server) { $0.authenticator = session }
        let error = try #require(await api.get("/x").ended().error)
        #expect(error.description.contains(text))
        for _ in 0..<3 { _ = await api.get("/x").ended() }
        let reason = await oauthError { try await session.currentToken() }
        #expect(reason?.endsSession == true && reason?.isTransient == false)
        #expect(reason?.description.contains(text) == true)
        #expect(await store.load() == nil)
        #expect(server.requests(to: "/token").count == 1)
    }

    @Test(arguments: [
        (#"{"error":"gone"}"#, 400), (#"{"error":"GONE"}"#, 200), (#"{"error":"no","message":"Gone"}"#, 401),
        (#"{"message":"gone"}"#, 400), (#"{"error":"access_denied","error_description":"gone"}"#, 403),
        (#"{"errcode":40030,"errmsg":"invalid refresh_token"}"#, 200), (#""gone""#, 400),
    ])
    func aConfigurationNamesFurtherCodes(content: String, status: Int) async throws {
        server.on(.post, "/token", .json(content, status: status))
        let codes: Set = [OAuthRefusal.Code(rawValue: "gone"), .init(rawValue: "40030")]
        for codes in [codes, []] {
            let store = MemoryCredentialStore(Example.expired())
            let error = await oauthError { try await session(store, codes: codes).currentToken() }
            #expect(error?.endsSession == !codes.isEmpty)
            #expect((await store.load() == nil) == !codes.isEmpty)
        }
    }

    // MARK: - Other refusals

    private static let refusals: [(StubResponse, String)] = [
        (.status(400), "status 400"), (.status(401), "status 401"), (.status(404), "status 404"),
        (.status(422), "status 422"), (.status(403), "status 403"),
        (.text("<html>no</html>", status: 400), "status 400"),
        (.text("Refresh token is unknown\n", status: 400), "Refresh token is unknown."),
        (.json(#"{"error":"invalid_client"}"#, status: 401), "invalid_client"),
        (.json(#"{"error":"unauthorized_client"}"#, status: 400), "unauthorized_client"),
        (.json(#"{"error":"invalid_request"}"#, status: 400), "invalid_request"),
        (.json(#"{"error":"access_denied"}"#, status: 403), "access_denied"),
        (.json(#"{"error":"incorrect_client_credentials"}"#), "incorrect_client_credentials"),
        (.json(#"{"message":"No such token"}"#, status: 404), "No such token"),
        (.json(#"{"msg":"No such token","code":400}"#, status: 400), "No such token"),
        (.json(#"{"errorCode":"E1","errorSummary":"No such token"}"#, status: 400), "E1 (No such token)"),
        (
            .json(#"{"statusCode":401,"message":"Expired","error":"Unauthorized"}"#, status: 401),
            "Unauthorized (Expired)"
        ),
        (.json(#"{"title":"Refused","detail":"No such token","status":400}"#, status: 400), "No such token"),
        (.json(#""No such token""#, status: 400), "No such token"),
        (.json(#"{"error":5}"#, status: 400), "status 400"), (.json(#"{"error":null}"#, status: 400), "status 400"),
        (.json(#"{"error":true,"message":[]}"#, status: 400), "status 400"),
    ]

    @Test(arguments: refusals)
    func aRefusedRefreshTokenIsNotSentAgain(response: StubResponse, text: String) async throws {
        server.on(.post, "/token", response)
        let store = MemoryCredentialStore(Example.expired())
        let session = session(store)
        var errors: [OAuthError?] = []
        await withTaskGroup(of: OAuthError?.self) { group in
            for _ in 0..<20 { group.addTask { await oauthError { try await session.currentToken() } } }
            for await error in group { errors.append(error) }
        }
        for _ in 0..<3 { errors.append(await oauthError { try await session.refresh(Example.expired()) }) }
        for error in errors {
            #expect(error?.description.contains(text) == true, "\(error as Any)")
            #expect(error?.endsSession == false && error?.isTransient == false)
        }
        #expect(server.requests.count == 1)
        // The user stays signed in.
        #expect(await store.load() == Example.expired())
    }

    /// A firewall or a deploy may have refused instead of the server.
    @Test
    func aRefusedRefreshTokenIsSentAgainAfterPausesThatDouble() async throws {
        let clock = VirtualClock()
        server.on(.post, "/token", .status(404), times: 2).on(.post, "/token", reply)
        let session = OAuthSession(Example.configuration, store: MemoryCredentialStore(Example.expired())) {
            $0.transport = server
            $0.clock = clock
        }
        for (seconds, count) in [(0.0, 1), (59, 1), (1, 2), (119, 2)] {
            clock.advance(by: seconds)
            #expect(await oauthError { try await session.refresh(Example.expired()) }?.name == "invalidResponse")
            #expect(server.requests.count == count)
        }
        clock.advance(by: 1)
        #expect(try await session.refresh(Example.expired()).accessToken == Secret("new"))
        #expect(server.requests.count == 3)
    }

    @Test
    func aDeadRefreshTokenIsNotSentAgainAfterAnHour() async throws {
        let clock = VirtualClock()
        server.on(.post, "/token", .json(#"{"error":"invalid_grant"}"#, status: 400))
        let session = OAuthSession(Example.configuration, store: MemoryCredentialStore(Example.expired())) {
            $0.transport = server
            $0.clock = clock
        }
        for seconds in [0.0, 7200] {
            clock.advance(by: seconds)
            #expect(await oauthError { try await session.currentToken() }?.endsSession == true)
        }
        #expect(server.requests.count == 1)
    }

    @Test
    func signingInClearsTheRefusal() async throws {
        server.on(.post, "/token", .status(400), times: 1).on(.post, "/token", reply)
        let session = session(MemoryCredentialStore(Example.expired()))
        for _ in 0..<2 { #expect(await oauthError { try await session.currentToken() }?.name == "invalidResponse") }
        try await session.adopt(Example.expired())
        #expect(try await session.currentToken().accessToken == Secret("new"))
        #expect(server.requests.count == 2)
    }

    @Test
    func anotherRefreshTokenInTheStoreIsSent() async throws {
        server.on(.post, "/token", .status(400), times: 1).on(.post, "/token", reply)
        let store = MemoryCredentialStore(Example.expired())
        let session = session(store)
        #expect(await oauthError { try await session.currentToken() }?.name == "invalidResponse")
        await store.save(Example.expired(refresh: "r9"))
        #expect(try await session.refresh(Example.expired()).accessToken == Secret("new"))
        #expect(server.requests.map { $0.form["refresh_token"] } == ["r1", "r9"])
    }

    @Test
    func aTokenThatAnotherProgramStoredMeanwhileIsUsed() async throws {
        let store = MemoryCredentialStore(Example.fresh())
        server.on(.post, "/token") { _ in
            await store.save(Example.fresh("other", refresh: "r9"))
            return .status(400)
        }
        #expect(try await session(store).refresh(Example.fresh()).accessToken == Secret("other"))
    }

    @Test
    func anotherProgramsSignOutIsNotTakenForARefusal() async throws {
        server.on(.post, "/token", .status(400))
        let store = MemoryCredentialStore(Example.expired())
        let session = session(store)
        #expect(await oauthError { try await session.currentToken() }?.name == "invalidResponse")
        await store.delete()
        #expect(await oauthError { try await session.refresh(Example.expired()) }?.name == "notSignedIn")
    }

    @Test
    func aServiceRequestsANewTokenAfterAnyRefusal() async throws {
        server.on(.post, "/token") { request in
            request.form["grant_type"] == "refresh_token"
                ? .status(400) : .json(#"{"access_token":"a","refresh_token":"r","expires_in":3600}"#)
        }
        let session = session(MemoryCredentialStore(), unattendedGrant: .clientCredentials)
        let token = try await session.currentToken()
        for _ in 0..<2 { #expect(try await session.refresh(token).accessToken == Secret("a")) }
        #expect(server.requests.map { $0.form["grant_type"] }.filter { $0 == "refresh_token" }.count == 1)
    }

    @Test
    func aUserIsNotReplacedByAServiceWithoutASignOut() async throws {
        server.on(.post, "/token", .status(400))
        let store = MemoryCredentialStore()
        let session = session(store, unattendedGrant: .clientCredentials)
        try await session.adopt(Example.expired())
        for _ in 0..<2 { #expect(await oauthError { try await session.currentToken() }?.name == "invalidResponse") }
        #expect(server.requests.map { $0.form["grant_type"] } == ["refresh_token"])
    }

    /// Over a real connection.
    @Test
    func manyRequestsSendADeadRefreshTokenOnce() async throws {
        let server = try RawServer { request in
            if request.path == "/me" { return .unauthorized("Bearer") }
            return .json(#"{"error_code":"refresh_token_not_found","msg":"Refresh Token Not Found"}"#, status: 400)
        }
        var configuration = Example.configuration
        configuration.tokenEndpoint = server.url("/token")
        let session = OAuthSession(configuration, store: MemoryCredentialStore(Example.expired()))
        let api = SimpleNetworking(baseURL: server.url("/")) {
            $0.authenticator = session
            $0.refreshTimeout = 600
            $0.logger = .quiet
        }
        let requests = (0..<20).map { _ in api.get("/me") }
        for request in requests { #expect(await request.ended().error != nil) }
        #expect(server.requests.filter { $0.path == "/token" }.count == 1)
    }

    // MARK: - Secrets

    @Test(arguments: [
        #"{"error":"x","message":"refused s3cret-1234","refresh_token":"s3cret-1234"}"#,
        #"{"error":"x","message":"refused s3cret-1234","session":{"id":"s3cret-1234"}}"#,
        #"{"error":"s3cret-1234","client_secret":"s3cret-1234"}"#,
        #"{"message":"refresh_token=s3cret-1234 is refused"}"#, #"{"message":"Token: s3cret-1234 is refused"}"#,
        #"{"message":"no {\"token\":\"s3cret-1234\"} is refused"}"#, #""https://ada:s3cret-1234@h/ is refused""#,
        #"{"message":"eyJhbGciOiJIUzI1NiJ9.e30.s3cret is refused"}"#,
        #"[{"message":"refused s3cret","token":"s3cret"}]"#,
        "refused: token=s3cret-1234", "s3cret-1234 was refused: s3cret-1234",
    ])
    func noErrorShowsASecretOfTheResponse(content: String) async throws {
        server.on(
            .post,
            "/token",
            "{[\"".contains(content.prefix(1)) ? .json(content, status: 400) : .text(content, status: 400)
        )
        let token = Example.expired(refresh: content.contains("was refused") ? "s3cret-1234" : "r1")
        let error = try #require(await oauthError { try await session(MemoryCredentialStore(token)).currentToken() })
        var texts = "\(error) \(error.localizedDescription) \(error.refusal as Any)"
        dump(error, to: &texts)
        #expect(!texts.contains("s3cret"))
        #expect(texts.contains("refused"))
    }
}
