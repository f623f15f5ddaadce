import Foundation
import SimpleNetworkingOAuth
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AuthorizationRequestTests {
    private let configuration = Example.configuration

    @Test
    func urlRequestsACodeWithChallengeAndState() throws {
        var configuration = configuration
        configuration.scopes = ["read", "write"]
        configuration.authorizationParameters = ["prompt": "consent", "client_id": "mine", "a b": "c+d&e"]
        configuration.authorizationEndpoint = Example.url("https://login.example.com/authorize?tenant=1")
        let url = try AuthorizationRequest(configuration).url
        let challenge = Example.value(of: "code_challenge", in: url)
        #expect(challenge.utf8.count == 43)
        #expect(Example.state(of: url).utf8.count == 43)
        let expected =
            "https://login.example.com/authorize?tenant=1&a%20b=c%2Bd%26e&client_id=notes"
            + "&code_challenge=\(challenge)&code_challenge_method=S256&prompt=consent"
            + "&redirect_uri=notes%3A%2F%2Foauth%2Fcallback&response_type=code&scope=read%20write"
            + "&state=\(Example.state(of: url))"
        #expect(url.absoluteString == expected)
    }

    @Test
    func aCodeWithTheRightStateMakesAGrant() async throws {
        let request = try AuthorizationRequest(configuration)
        let redirect = Example.redirect("?code=a%2Bb&state=\(Example.state(of: request.url))")
        #expect(request.recognizes(redirect))
        let grant = try await request.finish(redirect: redirect)
        #expect(grant.type == "authorization_code")
        let parameters = Dictionary(uniqueKeysWithValues: grant.parameters.map { ($0.name, $0.value.reveal()) })
        #expect(parameters["code"] == "a+b")
        #expect(parameters["redirect_uri"] == "notes://oauth/callback")
        #expect(parameters["code_verifier"]?.utf8.count == 43)
    }

    @Test
    func otherParametersOfTheRedirectAreIgnored() async throws {
        let request = try AuthorizationRequest(configuration)
        let state = Example.state(of: request.url)
        let grant = try await request.finish(
            redirect: Example.redirect("?iss=https%3A%2F%2Fx&session_state=1&code=c&x&x&state=\(state)&=#_=_")
        )
        #expect(grant.parameters.first?.value == Secret("c"))
    }

    /// What follows the redirect URI; `STATE` stands for the right state.
    @Test(arguments: [
        ("?code=c&state=wrong", "stateMismatch"), ("?code=c", "stateMismatch"), ("?code=c&state=", "stateMismatch"),
        ("", "stateMismatch"), ("?error=access_denied&state=wrong", "stateMismatch"),
        ("?state=STATE", "missingCode"), ("?code=&state=STATE", "missingCode"), ("#code=c&state=STATE", "missingCode"),
        ("?code=c&code=d&state=STATE", "invalidRedirect"), ("?code=c&state=STATE&state=STATE", "invalidRedirect"),
        ("?code=c&state=STATE#state=x", "invalidRedirect"),
        ("/more?code=c&state=STATE", "invalidRedirect"),
        ("?error=access_denied&state=STATE", "denied"), ("?error=access_denied&code=c&state=STATE", "denied"),
        ("?error=invalid_scope&state=STATE", "invalid_scope"), ("?error=server_error&state=STATE", "server_error"),
        ("?error=something+else&state=STATE", "something else"),
    ])
    func whatIsNoGoodCodeIsAnError(rest: String, name: String) async throws {
        let request = try AuthorizationRequest(configuration)
        let state = Example.state(of: request.url)
        let redirect = Example.redirect(rest.replacingOccurrences(of: "STATE", with: state))
        #expect(await oauthError { try await request.finish(redirect: redirect) }?.name == name)
        let isForeign = name == "stateMismatch" || name == "invalidRedirect"
        #expect(request.recognizes(redirect) == !isForeign)
        // A redirect of another sign-in does not end the wait, its own one does.
        let good = Example.redirect("?code=c&state=\(state)")
        #expect(
            await oauthError { try await request.finish(redirect: good) }?.name == (isForeign ? nil : "alreadyFinished")
        )
    }

    @Test(arguments: [
        "notes2://oauth/callback", "notes://oauth2/callback", "notes://oauth/callback2", "notes://oauth",
        "notes://oauth:1/callback", "notes://me@oauth/callback", "https://oauth/callback", "notes:/callback",
    ])
    func anotherURLIsNotTheRedirect(address: String) async throws {
        let request = try AuthorizationRequest(configuration)
        let redirect = Example.url(address + "?code=c&state=\(Example.state(of: request.url))")
        #expect(!request.recognizes(redirect))
        #expect(await oauthError { try await request.finish(redirect: redirect) }?.name == "invalidRedirect")
    }

    @Test(arguments: [
        ("notes:/x", "notes:/x", true), ("notes:///x", "notes:///x", true), ("NOTES:///x", "notes:///x", true),
        ("notes:/x", "notes:///x", false), ("notes:///x", "notes:/x", false), ("notes://x", "notes:/x", false),
    ])
    func anEmptyHostIsNotNone(redirectURI: String, address: String, isRecognized: Bool) throws {
        var configuration = configuration
        configuration.redirectURI = Example.url(redirectURI)
        let request = try AuthorizationRequest(configuration)
        let redirect = Example.url(address + "?code=c&state=\(Example.state(of: request.url))")
        #expect(request.recognizes(redirect) == isRecognized)
    }

    @Test(arguments: ["NOTES://OAuth/callback", "notes://oauth/callback"])
    func schemeAndHostAreFoundInAnyCase(address: String) async throws {
        let request = try AuthorizationRequest(configuration)
        #expect(request.recognizes(Example.url(address + "?code=c&state=\(Example.state(of: request.url))")))
    }

    @Test
    func aReplayedRedirectIsRefused() async throws {
        let request = try AuthorizationRequest(configuration)
        let redirect = Example.redirect("?code=c&state=\(Example.state(of: request.url))")
        _ = try await request.finish(redirect: redirect)
        #expect(await oauthError { try await request.finish(redirect: redirect) }?.name == "alreadyFinished")
        let other = try AuthorizationRequest(configuration)
        #expect(await oauthError { try await other.finish(redirect: redirect) }?.name == "stateMismatch")
    }

    @Test
    func theServersWordsAreKept() async throws {
        let request = try AuthorizationRequest(configuration)
        let redirect = Example.redirect(
            "?error=access_denied&error_description=The+user%0Asaid%20no&error_uri=https://e.com/1&state="
                + Example.state(of: request.url)
        )
        let error = await oauthError { try await request.finish(redirect: redirect) }
        #expect(error?.refusal?.code == .accessDenied)
        #expect(error?.refusal?.explanation == "The user said no")
        #expect(error?.refusal?.uri?.absoluteString == "https://e.com/1")
        #expect(error?.localizedDescription == "Access was denied: access_denied (The user said no).")
    }

    @Test
    func withoutStateNoneIsSentNorDemanded() async throws {
        var configuration = configuration
        configuration.usesState = false
        let request = try AuthorizationRequest(configuration)
        #expect(!request.url.absoluteString.contains("state"))
        #expect(try await request.finish(redirect: Example.redirect("?code=c")).parameters.first?.value == Secret("c"))
    }

    @Test(arguments: [
        ("http://login.example.com/authorize", false), ("ftp://login.example.com", false), ("login.example.com", false),
        ("http://127.0.0.1:80/authorize", true), ("http://localhost/authorize", true), ("http://[::1]:80/a", true),
        ("https://login.example.com", true),
    ])
    func authorizationEndpointMustBeSecure(address: String, isFit: Bool) throws {
        var configuration = configuration
        configuration.authorizationEndpoint = URL(string: address)
        #expect(((try? AuthorizationRequest(configuration)) != nil) == isFit)
        configuration.allowsPlainHTTP = true
        #expect(((try? AuthorizationRequest(configuration)) != nil) == (isFit || address.hasPrefix("http://")))
    }

    @Test
    func whatIsMissingIsNamed() async {
        var configuration = configuration
        configuration.redirectURI = nil
        #expect(await oauthError { try AuthorizationRequest(configuration) }?.name == "configuration")
        configuration.redirectURI = Example.url("notes:/x#y")
        #expect(await oauthError { try AuthorizationRequest(configuration) }?.name == "configuration")
        configuration.authorizationEndpoint = nil
        let error = await oauthError { try AuthorizationRequest(configuration) }
        #expect(error?.localizedDescription == "OAuth is not set up for this: there is no authorization endpoint.")
    }
}
