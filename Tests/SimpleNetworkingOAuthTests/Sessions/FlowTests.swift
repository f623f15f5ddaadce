import Foundation
import SimpleNetworkingOAuth
import SimpleNetworkingTesting
import Testing

/// Whole sign-ins against a real server, over real sockets.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct FlowTests {
    private let server: AuthorizationServer
    private let folder: ScratchFolder

    init() throws {
        server = try AuthorizationServer()
        folder = try ScratchFolder()
    }

    private func session(redirectURI: String? = "notes://oauth/callback") -> OAuthSession {
        OAuthSession(server.configuration(redirectURI: redirectURI), store: FileCredentialStore(folder.file))
    }

    /// The status of a call to the API with a token.
    private func call(_ token: OAuthToken) async -> Int? {
        let api = SimpleNetworking(baseURL: server.url("/")) { $0.logger = .quiet }
        return await api.get("/api") { $0.authenticate(withHeader: token.authorization.reveal()) }.status
    }

    @Test
    func anAppSignsInCallsAndRefreshes() async throws {
        let session = session()
        let token = try await session.signIn { try await server.visit($0) }
        #expect(await call(token) == 200)
        let refreshed = try await session.refresh(token)
        #expect(refreshed.refreshToken == Secret("refresh-2"))
        #expect(await call(token) == 401)
        #expect(await call(refreshed) == 200)
        // The next start of the program.
        #expect(try await self.session().currentToken() == refreshed)
        #expect(server.tokenRequests == 2)
    }

    @Test
    func aToolSignsInByARedirectToThisMachine() async throws {
        let visits = Recorder<Task<Int, any Error>>()
        let token = try await session(redirectURI: nil).signInByLoopback(within: 20) { page in
            visits.add(
                Task {
                    let redirect = try await server.visit(page)
                    // What a forged redirect says does not count.
                    let forged = Example.url(
                        redirect.absoluteString.replacingOccurrences(of: "state=", with: "state=x")
                    )
                    let browser = SimpleNetworking(baseURL: redirect) { $0.logger = .quiet }
                    #expect(await browser.get(forged.absoluteString).status == 400)
                    return await browser.get(redirect.absoluteString).status ?? 0
                }
            )
        }
        #expect(try await visits.elements.first?.value == 200)
        #expect(await call(token) == 200)
    }

    @Test
    func aSignOutEndsASignInByARedirectToThisMachine() async throws {
        let session = session(redirectURI: nil)
        let error = await oauthError {
            try await session.signInByLoopback(within: 20) { page in
                try await session.signOut()
                Task {
                    let redirect = try await server.visit(page)
                    let browser = SimpleNetworking(baseURL: redirect) { $0.logger = .quiet }
                    await browser.get(redirect.absoluteString).ended()
                }
            }
        }
        #expect(error?.name == "superseded")
        #expect(try await session.storedToken() == nil)
    }

    @Test
    func aReplayedCodeIsRefused() async throws {
        let configuration = server.configuration()
        let request = try AuthorizationRequest(configuration)
        let redirect = try await server.visit(request.url)
        let client = TokenClient(configuration)
        let grant = try await request.finish(redirect: redirect)
        #expect(await oauthError { try await request.finish(redirect: redirect) }?.name == "alreadyFinished")
        #expect(try await client.token(for: grant).accessToken == Secret("access-1"))
        #expect(await oauthError { try await client.token(for: grant) }?.name == "invalid_grant")
    }

    @Test
    func aStolenCodeIsWorthNothingWithoutItsProof() async throws {
        let configuration = server.configuration()
        let request = try AuthorizationRequest(configuration)
        let code = Example.value(of: "code", in: try await server.visit(request.url))
        let thief = try AuthorizationRequest(configuration)
        let redirect = Example.redirect("?code=\(code)&state=\(Example.state(of: thief.url))")
        let grant = try await thief.finish(redirect: redirect)
        #expect(await oauthError { try await TokenClient(configuration).token(for: grant) }?.name == "invalid_grant")
    }

    @Test
    func aRedirectWithAWrongStateIsRefused() async throws {
        let session = session()
        let error = await oauthError {
            try await session.signIn { page in
                let redirect = try await server.visit(page).absoluteString
                return Example.url(redirect.replacingOccurrences(of: "state=", with: "state=x"))
            }
        }
        #expect(error?.name == "stateMismatch")
        #expect(server.tokenRequests == 0)
    }

    @Test
    func aRedirectWithAnErrorIsThatError() async throws {
        server.refuseNext("access_denied")
        let session = session()
        let error = await oauthError { try await session.signIn { try await server.visit($0) } }
        #expect(error?.localizedDescription == "Access was denied: access_denied (not today).")
        // The next attempt is a new one.
        #expect(try await session.signIn { try await server.visit($0) }.accessToken == Secret("access-1"))
    }

    @Test
    func theOtherGrantsWorkToo() async throws {
        let session = session()
        #expect(try await session.signIn(user: "ada", password: Secret("pa55word")).accessToken == Secret("access-1"))
        #expect(
            await oauthError { try await session.signIn(user: "ada", password: Secret("x")) }?.name == "invalid_grant"
        )
        #expect(try await session.signIn(with: .clientCredentials).accessToken == Secret("access-2"))
        #expect(try await session.signInImplicitly { try await server.visit($0) }.accessToken == Secret("access-3"))
        let other = await oauthError { try await session.signIn(with: Grant(type: "magic")) }
        #expect(other?.name == "unsupported_grant_type")
        for secret in ["pa55word", "cl1ent"] { #expect(!server.hasSeen(inAddress: secret)) }
    }

    @Test
    func aRefusedRefreshSignsOut() async throws {
        let session = session()
        let token = try await session.signIn { try await server.visit($0) }
        // Another program has used the refresh token.
        _ = try await TokenClient(server.configuration()).token(for: .refresh(Secret("refresh-1")))
        #expect(await oauthError { try await session.refresh(token) }?.endsSession == true)
        #expect(folder.names.isEmpty)
    }

    @Test
    func unreachableServerKeepsTheUserSignedIn() async throws {
        let session = session()
        let token = try await session.signIn { try await server.visit($0) }
        server.stop()
        #expect(await oauthError { try await session.refresh(token) }?.isTransient == true)
        #expect(try await FileCredentialStore(folder.file).load() == token)
    }
}

extension SimpleRequest {
    /// The status of the response, or nil if there was none.
    fileprivate var status: Int? {
        get async {
            switch await ended() {
            case .success(let response): response.httpStatus
            case .failure(let error): error.httpStatus
            }
        }
    }
}
