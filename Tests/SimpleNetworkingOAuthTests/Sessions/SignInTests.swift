import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingOAuth

@Suite(.timeLimit(.minutes(5)))
struct SignInTests {
    private let session: OAuthSession
    private let store = MemoryCredentialStore()
    private let server = StubTransport()
        .on(.post, "/token", .json(#"{"access_token":"a","refresh_token":"r","expires_in":3600}"#))

    init() {
        session = OAuthSession(Example.configuration, store: store) { [server] in $0.transport = server }
    }

    /// Starts a sign-in, and returns when its page is open.
    private func waitingSignIn() async throws -> Task<OAuthToken, any Error> {
        let opened = Gate()
        let task = Task {
            try await session.signIn { _ in
                opened.open()
                return nil
            }
        }
        try await opened.wait()
        return task
    }

    @Test
    func aPresenterMayReturnTheRedirect() async throws {
        let token = try await session.signIn { page in Example.redirect("?code=c&state=\(Example.state(of: page))") }
        #expect(token.accessToken == Secret("a"))
        #expect(await store.load() == token)
        #expect(server.requests.first?.form["code"] == "c")
        #expect(server.requests.first?.form["code_verifier"]?.utf8.count == 43)
        #expect(await !session.isAuthenticating)
    }

    @Test
    func theRedirectMayComeByTheAppsHandler() async throws {
        let pages = Recorder<URL>()
        let opened = Gate()
        let task = Task {
            try await session.signIn { page in
                pages.add(page)
                opened.open()
                return nil
            }
        }
        try await opened.wait()
        #expect(await session.isAuthenticating)
        let state = Example.state(of: try #require(pages.elements.first))
        for other in ["?code=c", "?code=c&state=x", "/more?code=c&state=\(state)"] {
            #expect(await !session.finishAuthenticating(Example.redirect(other)))
        }
        #expect(await session.isAuthenticating)
        #expect(await session.finishAuthenticating(Example.redirect("?code=c&state=\(state)")))
        #expect(try await task.value.accessToken == Secret("a"))
        #expect(await !session.isAuthenticating)
        // The same redirect is ignored the second time.
        #expect(await !session.finishAuthenticating(Example.redirect("?code=c&state=\(state)")))
        #expect(server.requests.count == 1)
    }

    @Test
    func theHandlerMayBeCalledBeforeThePresenterReturns() async throws {
        let session = session
        let token = try await session.signIn { page in
            let redirect = Example.redirect("?code=c&state=\(Example.state(of: page))")
            #expect(await session.finishAuthenticating(redirect))
            return nil
        }
        #expect(token.accessToken == Secret("a"))
    }

    @Test
    func redirectWithoutAWaitingSignInIsIgnored() async {
        #expect(await !session.finishAuthenticating(Example.redirect("?code=c&state=x")))
    }

    @Test
    func errorsOfTheRedirectEndTheSignIn() async throws {
        let denied = await oauthError {
            try await session.signIn { Example.redirect("?error=access_denied&state=\(Example.state(of: $0))") }
        }
        #expect(denied?.name == "denied")
        let forged = await oauthError { try await session.signIn { _ in Example.redirect("?code=c&state=x") } }
        #expect(forged?.name == "stateMismatch")
        #expect(server.log.isEmpty)
        #expect(await !session.isAuthenticating)
    }

    @Test
    func comingBackWithoutARedirectIsCancelling() async throws {
        let task = try await waitingSignIn()
        await session.cancelAuthenticating()
        #expect(await oauthError { try await task.value }?.name == "cancelled")
        #expect(await !session.isAuthenticating)
    }

    @Test
    func cancellingTheTaskEndsTheSignIn() async throws {
        let task = try await waitingSignIn()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await !session.isAuthenticating)
    }

    @Test
    func whatThePresenterThrowsIsThrown() async {
        #expect(await oauthError { try await session.signIn { _ in throw OAuthError.cancelled } }?.name == "cancelled")
        #expect(await !session.isAuthenticating)
    }

    @Test
    func aSecondSignInTakesTheFirstOnesPlace() async throws {
        let first = try await waitingSignIn()
        let token = try await session.signIn { Example.redirect("?code=c&state=\(Example.state(of: $0))") }
        #expect(token.accessToken == Secret("a"))
        #expect(await oauthError { try await first.value }?.name == "superseded")
    }

    @Test(arguments: ["sign-out", "token", "password"])
    func anySignInAndASignOutTakeThePlaceOfOneInABrowser(what: String) async throws {
        let first = try await waitingSignIn()
        switch what {
        case "sign-out": try await session.signOut()
        case "token": try await session.adopt(OAuthToken(accessToken: Secret("b")))
        default: try await session.signIn(user: "u", password: Secret("p"))
        }
        #expect(await oauthError { try await first.value }?.name == "superseded")
        #expect(server.requests.allSatisfy { $0.form["code"] == nil })
    }

    @Test(arguments: [true, false])
    func aSignOutDuringASignInLeavesTheUserSignedOut(inBrowser: Bool) async throws {
        let gate = Gate()
        server.on(.post, "/slow", .json(#"{"access_token":"a"}"#).after(gate))
        var configuration = Example.configuration
        configuration.tokenEndpoint = Example.url("https://example.com/slow")
        let session = OAuthSession(configuration, store: store) { [server] in $0.transport = server }
        let signIn = Task {
            if !inBrowser { return try await session.signIn(user: "u", password: Secret("p")) }
            return try await session.signIn { Example.redirect("?code=c&state=\(Example.state(of: $0))") }
        }
        await gate.arrivals(1)
        let signOut = Task { try await session.signOut() }
        while await session.signIns < 2 { await Task.yield() }
        gate.open()
        #expect(await oauthError { try await signIn.value }?.name == "superseded")
        try await signOut.value
        #expect(await store.load() == nil)
    }

    @Test
    func signInWhosePresenterReturnsTooLateIsSuperseded() async throws {
        let (opened, late) = (Gate(), Gate())
        let first = Task {
            try await session.signIn { page in
                opened.open()
                try await late.wait()
                return Example.redirect("?code=c&state=\(Example.state(of: page))")
            }
        }
        try await opened.wait()
        _ = try await session.signIn { Example.redirect("?code=d&state=\(Example.state(of: $0))") }
        late.open()
        #expect(await oauthError { try await first.value }?.name == "superseded")
        #expect(server.requests.map { $0.form["code"] } == ["d"])
    }

    @Test
    func theImplicitGrantNeedsNoTokenEndpoint() async throws {
        let token = try await session.signInImplicitly {
            Example.redirect("#access_token=i&expires_in=60&state=\(Example.state(of: $0))")
        }
        #expect(token.accessToken == Secret("i"))
        #expect(await store.load() == token)
        #expect(server.log.isEmpty)
    }
}
