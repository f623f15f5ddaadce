import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingOAuth

/// RFC 9126: the browser's URL refers to parameters that the server has already.
@Suite(.timeLimit(.minutes(5)))
struct PushedAuthorizationTests {
    private let server = StubTransport()

    private func session() -> OAuthSession {
        var configuration = Example.configuration
        configuration.clientSecret = Secret("s3cret")
        configuration.scopes = ["notes"]
        configuration.pushedAuthorizationRequestEndpoint = Example.url("https://login.example.com/par")
        return OAuthSession(configuration) { [server] in
            $0.transport = server
            $0.clock = VirtualClock()
        }
    }

    @Test
    func thePageShowsAReferenceAlone() async throws {
        server.on(.post, "/par", .json(#"{"request_uri": "urn:x:1", "expires_in": 60}"#, status: 201))
            .on(.post, "/token", .json(#"{"access_token": "a"}"#))
        let pages = Recorder<URL>()
        let token = try await session().signIn { [server] page in
            pages.add(page)
            let state = try #require(server.requests.first?.form["state"])
            return Example.redirect("?code=c&state=\(state)")
        }
        #expect(token.accessToken == Secret("a"))
        #expect(
            pages.elements == [
                Example.url("https://login.example.com/authorize?client_id=notes&request_uri=urn%3Ax%3A1")
            ]
        )
        let pushed = try #require(server.requests.first)
        #expect(pushed.headers["Authorization"]?.hasPrefix("Basic ") == true)
        #expect(
            Set(pushed.form.keys) == [
                "client_id", "code_challenge", "code_challenge_method", "redirect_uri", "response_type", "scope",
                "state",
            ]
        )
        // The proof of the code is the one that was pushed.
        let verifier = try #require(server.requests.last?.form["code_verifier"])
        #expect(ProofKey(verifier: Secret(verifier)).challenge == pushed.form["code_challenge"])
    }

    @Test(arguments: [
        (StubResponse.json(#"{"error": "invalid_request"}"#, status: 400), "invalid_request"),
        (.json("{}", status: 201), "invalidResponse"), (.failure(.offline), "unavailable"),
    ])
    func withoutAReferenceNoPageIsShown(response: StubResponse, name: String) async throws {
        server.on("*", response)
        let session = session()
        let error = await oauthError {
            try await session.signIn { _ in throw Surprise("a page was shown") }
        }
        #expect(error?.name == name)
    }
}
