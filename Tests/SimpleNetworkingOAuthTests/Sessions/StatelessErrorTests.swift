import Foundation
import SimpleNetworkingOAuth
import SimpleNetworkingTesting
import Testing

/// Servers that forget the state when they send an error.
///
/// Serialized, since an error without a state is ignored while several sign-ins wait.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct StatelessErrorTests {
    private let error = Example.redirect("?error=access_denied&error_description=no")

    private func session() -> OAuthSession { OAuthSession(Example.configuration) { $0.transport = StubTransport() } }

    /// A sign-in that waits for the app's URL handler.
    private func waiting(_ session: OAuthSession) async throws -> Task<OAuthToken, any Error> {
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
    func aPresentersErrorWithoutAStateIsThatError() async throws {
        #expect(await oauthError { try await session().signIn { _ in error } }?.name == "denied")
        let implicit = Example.redirect("#error=access_denied")
        #expect(await oauthError { try await session().signInImplicitly { _ in implicit } }?.name == "denied")
    }

    @Test
    func codeWithoutStateIsIgnored() async throws {
        let session = session()
        let task = try await waiting(session)
        #expect(await !session.finishAuthenticating(Example.redirect("?code=c")))
        #expect(await !session.finishAuthenticating(Example.redirect("?error=access_denied&state=x")))
        #expect(await session.isAuthenticating)
        await session.cancelAuthenticating()
        #expect(await oauthError { try await task.value }?.name == "cancelled")
    }

    /// Any page that the user visits can send it.
    @Test
    func itEndsNoSignInOnThisMachineThatTheRealRedirectStillEnds() async throws {
        let server = try AuthorizationServer()
        let session = OAuthSession(server.configuration(redirectURI: nil))
        let statuses = Recorder<Int?>()
        let token = try await session.signInByLoopback(within: 120) { page in
            Task {
                let browser = SimpleNetworking(baseURL: page) { $0.logger = .quiet }
                let redirect = Example.value(of: "redirect_uri", in: page)
                statuses.add(await browser.get(redirect + "?error=server_error").ended().error?.httpStatus)
                await browser.get(try await server.visit(page).absoluteString).ended()
            }
        }
        #expect(token.accessToken == Secret("access-1"))
        #expect(statuses.elements == [400])
    }

    @Test
    func itIsTheErrorOfASignInOnThisMachineWhoseTimeIsOver() async throws {
        let server = try AuthorizationServer()
        let session = OAuthSession(server.configuration(redirectURI: nil))
        let failure = await oauthError {
            // The listener reads what has come before it looks at the time.
            try await session.signInByLoopback(within: 0.1) { page in
                let redirect = Example.value(of: "redirect_uri", in: page)
                let port = URL(string: redirect)?.port ?? 0
                let visitor = try Visitor(port: port)
                visitor.say("GET /callback?error=server_error HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
            }
        }
        #expect(failure?.name == "server_error")
    }

    /// The exit test has a process of its own, in which no other test signs in.
    @Test
    func itEndsTheOneSignInThatWaits() async {
        await #expect(processExitsWith: .success) {
            func check(_ isSo: Bool, line: UInt = #line) { precondition(isSo, line: line) }
            func waiting(_ session: OAuthSession) async throws -> Task<String?, Never> {
                let opened = Gate()
                let task = Task {
                    await oauthError {
                        try await session.signIn { _ in
                            opened.open()
                            return nil
                        }
                    }?.name
                }
                try await opened.wait()
                return task
            }
            let error = Example.redirect("?error=access_denied")
            let (one, other) = (OAuthSession(Example.configuration), OAuthSession(Example.configuration))
            let first = try await waiting(one)
            let second = try await waiting(other)
            // It could belong to either sign-in.
            await check(!one.finishAuthenticating(error))
            await check(!other.finishAuthenticating(error))
            await other.cancelAuthenticating()
            await check(second.value == "cancelled")
            await check(!other.finishAuthenticating(error))
            await check(one.finishAuthenticating(error))
            await check(first.value == "denied")
            await check(!one.finishAuthenticating(error))
            // A second sign-in of one session takes the place of the first.
            let former = try await waiting(one)
            let latter = try await waiting(one)
            await check(former.value == "superseded")
            await check(one.finishAuthenticating(error))
            await check(latter.value == "denied")
        }
    }
}
