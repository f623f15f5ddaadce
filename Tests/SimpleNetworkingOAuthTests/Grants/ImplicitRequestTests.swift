import Foundation
import SimpleNetworkingOAuth
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ImplicitRequestTests {
    private func request(usesState: Bool = true) throws -> ImplicitRequest {
        var configuration = Example.configuration
        configuration.usesState = usesState
        configuration.tokenEndpoint = nil
        return try ImplicitRequest(configuration)
    }

    @Test
    func implicitURLRequestsAToken() throws {
        let expected =
            "https://login.example.com/authorize?client_id=notes&redirect_uri=notes%3A%2F%2Foauth%2Fcallback"
            + "&response_type=token"
        #expect(try request(usesState: false).url.absoluteString == expected)
        let url = try request().url
        #expect(url.absoluteString == expected + "&state=\(Example.state(of: url))")
    }

    @Test
    func theTokenIsTakenFromTheFragment() async throws {
        let request = try request()
        let state = Example.state(of: request.url)
        let redirect = Example.redirect("?x=1#access_token=a%2Bb&token_type=bearer&expires_in=3600&y=2&state=\(state)")
        let token = try await request.finish(redirect: redirect)
        #expect(token.accessToken == Secret("a+b"))
        #expect(token.type == "bearer")
        #expect(token.expiresAt == Example.start.addingTimeInterval(3600))
        #expect(token.refreshToken == nil)
        #expect(await oauthError { try await request.finish(redirect: redirect) }?.name == "alreadyFinished")
    }

    /// What follows the redirect URI; `STATE` stands for the right state.
    @Test(arguments: [
        ("#access_token=a&state=x", "stateMismatch"), ("#access_token=a", "stateMismatch"),
        ("#state=STATE", "missingToken"), ("#access_token=&state=STATE", "missingToken"),
        // Servers get to see a query.
        ("?access_token=a&state=STATE", "missingToken"),
        ("#error=access_denied&state=STATE", "denied"), ("?error=access_denied&state=STATE", "denied"),
        ("#error=invalid_scope&access_token=a&state=STATE", "invalid_scope"),
        ("#access_token=a&access_token=b&state=STATE", "invalidRedirect"),
    ])
    func whatIsNoGoodTokenIsAnError(rest: String, name: String) async throws {
        let request = try request()
        let redirect = Example.redirect(rest.replacingOccurrences(of: "STATE", with: Example.state(of: request.url)))
        #expect(await oauthError { try await request.finish(redirect: redirect) }?.name == name)
        #expect(request.recognizes(redirect) == !["stateMismatch", "invalidRedirect"].contains(name))
    }

    @Test
    func refusalWithoutStateIsThrownWhenNoStateIsUsed() async throws {
        let request = try request(usesState: false)
        let redirect = Example.redirect("#error=access_denied&error_description=no")
        let error = await oauthError { try await request.finish(redirect: redirect) }
        #expect(error?.refusal?.explanation == "no")
    }
}
