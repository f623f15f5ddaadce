import Foundation
import SimpleNetworkingOAuth
import SimpleNetworkingTesting
import Testing

/// A presenter that shows its page until the user closes it, as the system's browser sheet does.
@Suite(.timeLimit(.minutes(5)))
struct PresenterTests {
    private final class Sheet: Sendable {
        let pages = Recorder<URL>()
        let opened = Gate()
        let closed = Gate()
        /// Opened by a user who closes the page.
        let user = Gate()

        /// Shows a page; a deaf sheet stays open when its task is cancelled.
        func present(_ page: URL, isDeaf: Bool) async throws -> URL? {
            pages.add(page)
            opened.open()
            defer { closed.open() }
            if isDeaf {
                await Task.detached { [user] in try? await user.wait() }.value
            } else {
                try await user.wait()
            }
            throw OAuthError.cancelled
        }
    }

    private let sheet = Sheet()
    private let server = StubTransport()
        .on(.post, "/token", .json(#"{"access_token":"a","refresh_token":"r","expires_in":3600}"#))
    private let session: OAuthSession

    init() { session = OAuthSession(Example.configuration) { [server] in $0.transport = server } }

    private func signIn(isDeaf: Bool, isImplicit: Bool = false) async throws -> Task<OAuthToken, any Error> {
        let task = Task { [session, sheet] in
            let present: OAuthSession.Presenter = { try await sheet.present($0, isDeaf: isDeaf) }
            return isImplicit
                ? try await session.signInImplicitly(presenting: present)
                : try await session.signIn(presenting: present)
        }
        try await withinSeconds(120) { try await sheet.opened.wait() }
        return task
    }

    @Test(arguments: [false, true], [false, true])
    func aRedirectThatTheAppPassesEndsTheSignInWhileThePageIsShown(isDeaf: Bool, isImplicit: Bool) async throws {
        let task = try await signIn(isDeaf: isDeaf, isImplicit: isImplicit)
        let state = Example.state(of: try #require(sheet.pages.elements.first))
        let reply = isImplicit ? "#access_token=a" : "?code=c"
        #expect(await session.finishAuthenticating(Example.redirect("\(reply)&state=\(state)")))
        #expect(try await withinSeconds(120) { try await task.value }.accessToken == Secret("a"))
        #expect(await !session.isAuthenticating)
        sheet.user.open()
    }

    @Test(arguments: [false, true])
    func cancellingTheSignInEndsItWhileThePageIsShown(isDeaf: Bool) async throws {
        let task = try await signIn(isDeaf: isDeaf)
        await session.cancelAuthenticating()
        #expect(await oauthError { try await withinSeconds(120) { try await task.value } }?.name == "cancelled")
        #expect(await !session.isAuthenticating)
        sheet.user.open()
    }

    @Test(arguments: [false, true])
    func anotherSignInEndsItWhileThePageIsShown(isDeaf: Bool) async throws {
        let task = try await signIn(isDeaf: isDeaf)
        let token = try await session.signIn { Example.redirect("?code=d&state=\(Example.state(of: $0))") }
        #expect(token.accessToken == Secret("a"))
        #expect(await oauthError { try await withinSeconds(120) { try await task.value } }?.name == "superseded")
        sheet.user.open()
        // What the first page brings later ends nothing.
        #expect(try await session.storedToken() == token)
    }

    @Test(arguments: [false, true])
    func cancellingTheTaskEndsItWhileThePageIsShown(isDeaf: Bool) async throws {
        let task = try await signIn(isDeaf: isDeaf)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await withinSeconds(120) { try await task.value } }
        #expect(await !session.isAuthenticating)
        sheet.user.open()
    }

    @Test
    func thePageIsClosedWhenTheSignInHasEnded() async throws {
        let task = try await signIn(isDeaf: false)
        await session.cancelAuthenticating()
        _ = await task.result
        try await withinSeconds(120) { try await sheet.closed.wait() }
    }

    @Test
    func aUserWhoClosesThePageEndsTheSignIn() async throws {
        let task = try await signIn(isDeaf: false)
        sheet.user.open()
        #expect(await oauthError { try await task.value }?.name == "cancelled")
    }
}
