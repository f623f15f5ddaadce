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

    @Test
    func itEndsASignInOnThisMachine() async throws {
        let server = try AuthorizationServer()
        let session = OAuthSession(server.configuration(redirectURI: nil))
        let failure = await oauthError {
            try await session.signInByLoopback(within: 20) { page in
                let redirect = Example.value(of: "redirect_uri", in: page)
                Task { await SimpleNetworking(baseURL: page).get(redirect + "?error=server_error").ended() }
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
