import Foundation
import SimpleNetworkingOAuth
import SimpleNetworkingTesting
import Testing

/// RFC 9207: a redirect says which server it comes from.
@Suite(.timeLimit(.minutes(5)))
struct IssuerTests {
    private func configuration(_ issuer: String?) -> OAuthConfiguration {
        var configuration = Example.configuration
        configuration.issuer = issuer
        return configuration
    }

    /// What is in the redirect, and how the sign-in ends; nil for well.
    private static let cases: [(rest: String, end: String?)] = [
        ("iss=https%3A%2F%2Flogin.example.com", nil), ("iss=https://login.example.com", nil),
        ("", "issuerMismatch"), ("iss=", "issuerMismatch"), ("iss=https://evil.example.com", "issuerMismatch"),
        // RFC 3986 §6.2.1: compared letter by letter.
        ("iss=https://login.example.com/", "issuerMismatch"), ("iss=https://LOGIN.example.com", "issuerMismatch"),
        ("iss=https://login.example.com&iss=https://evil.example.com", "invalidRedirect"),
    ]

    @Test(arguments: cases)
    func codeFromAnotherIssuerIsRefused(rest: String, end: String?) async throws {
        let request = try AuthorizationRequest(configuration("https://login.example.com"))
        let redirect = Example.redirect("?code=c&state=\(Example.state(of: request.url))&" + rest)
        #expect(await oauthError { try await request.finish(redirect: redirect) }?.name == end)
        // Another server's redirect with the right state is no accident: the sign-in is over.
        let ends = end == nil || end == "issuerMismatch"
        #expect(request.recognizes(redirect) == ends)
        if ends {
            #expect(await oauthError { try await request.finish(redirect: redirect) }?.name == "alreadyFinished")
        }
    }

    @Test(arguments: cases)
    func tokenFromAnotherIssuerIsRefused(rest: String, end: String?) async throws {
        let request = try ImplicitRequest(configuration("https://login.example.com"))
        let redirect = Example.redirect("#access_token=a&state=\(Example.state(of: request.url))&" + rest)
        #expect(await oauthError { try await request.finish(redirect: redirect) }?.name == end)
    }

    /// Some servers leave their name out of errors, against RFC 9207 §2.
    @Test(arguments: [("error=access_denied", "denied"), ("error=access_denied&code=c", "issuerMismatch")])
    func anErrorWithoutAnIssuerIsTheServers(rest: String, end: String) async throws {
        let request = try AuthorizationRequest(configuration("https://login.example.com"))
        let redirect = Example.redirect("?state=\(Example.state(of: request.url))&" + rest)
        #expect(await oauthError { try await request.finish(redirect: redirect) }?.name == end)
    }

    @Test
    func anErrorOfAnotherServerIsNotQuoted() async throws {
        let request = try AuthorizationRequest(configuration("https://login.example.com"))
        let redirect = Example.redirect(
            "?error=access_denied&iss=https://e.com&state=\(Example.state(of: request.url))"
        )
        #expect(await oauthError { try await request.finish(redirect: redirect) }?.name == "issuerMismatch")
    }

    /// Swift takes the Kelvin sign for the letter K.
    @Test
    func issuersAreComparedByTheirBytes() async throws {
        let request = try AuthorizationRequest(configuration("https://login.example.com/K"))
        let iss = "https://login.example.com/%E2%84%AA"
        let redirect = Example.redirect("?code=c&state=\(Example.state(of: request.url))&iss=\(iss)")
        #expect(await oauthError { try await request.finish(redirect: redirect) }?.name == "issuerMismatch")
    }

    @Test
    func anErrorThatRepeatsWhatTheRedirectHasIsNotQuoted() async throws {
        let request = try AuthorizationRequest(configuration(nil))
        let state = Example.state(of: request.url)
        let redirect = Example.redirect("?error=x&error_description=\(state)+c0dec0de&code=c0dec0de&state=\(state)")
        let error = await oauthError { try await request.finish(redirect: redirect) }
        #expect(error?.refusal?.explanation == "‹secret› ‹secret›")
    }

    @Test(arguments: ["", "&iss=https://anything.example.com"])
    func withoutASettingAnyServerWillDo(rest: String) async throws {
        let request = try AuthorizationRequest(configuration(nil))
        let redirect = Example.redirect("?code=c&state=\(Example.state(of: request.url))" + rest)
        #expect(await oauthError { try await request.finish(redirect: redirect) }?.name == nil)
    }

    @Test(arguments: [("here", true), ("elsewhere", false)])
    func aSignInOverASocketChecksTheIssuer(issuer: String, isGood: Bool) async throws {
        let server = try AuthorizationServer()
        var configuration = server.configuration()
        configuration.issuer = issuer
        let session = OAuthSession(configuration)
        let error = await oauthError { try await session.signIn { try await server.visit($0) } }
        #expect(error?.name == (isGood ? nil : "issuerMismatch"))
        // The code does not leave for a server that it may not be from.
        #expect(server.tokenRequests == (isGood ? 1 : 0))
    }
}
