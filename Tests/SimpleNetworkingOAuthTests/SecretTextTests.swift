import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingOAuth

/// What no text of any kind may show.
@Suite(.timeLimit(.minutes(5)))
struct SecretTextTests {
    private static let secret = "s3cret"

    /// All ways to make a text of a value.
    private func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        var texts = ["\(value)", String(reflecting: value), dumped, "\([value])", "\(Optional(value) as Any)"]
        texts += Mirror(reflecting: value).children.map { "\($0)" }
        if let error = value as? any Error { texts += [error.localizedDescription, "\(error as NSError)"] }
        return texts
    }

    private func expectNoSecret(in value: Any, _ location: SourceLocation = #_sourceLocation) {
        for text in texts(of: value) {
            let isShown = text.contains(Self.secret) || text.contains(Data(Self.secret.utf8).base64EncodedString())
            #expect(!isShown, "\(type(of: value)) shows it: \(text)", sourceLocation: location)
        }
    }

    private var configuration: OAuthConfiguration {
        var configuration = Example.configuration
        configuration.clientSecret = Secret(Self.secret)
        configuration.tokenParameters = ["client_assertion": Self.secret]
        return configuration
    }

    private var token: OAuthToken {
        OAuthToken(
            accessToken: Secret(Self.secret),
            refreshToken: Secret(Self.secret),
            extra: ["id_token": Secret(Self.secret)]
        )
    }

    @Test
    func noValueShowsIt() async throws {
        let server = StubTransport()
        for value in [
            configuration, token, ProofKey(verifier: Secret(Self.secret)), MemoryCredentialStore(token),
            TokenClient(configuration), OAuthSession(configuration, store: MemoryCredentialStore(token)),
            Grant.password(user: "ada", password: Secret(Self.secret)), Grant.refresh(Secret(Self.secret)),
            Grant.authorizationCode(
                Secret(Self.secret),
                redirectURI: Example.redirect(""),
                verifier: Secret(Self.secret)
            ),
            FileCredentialStore(URL(fileURLWithPath: "/x")), server,
        ] as [Any] { expectNoSecret(in: value) }
    }

    @Test
    func aConfigurationShowsAllButItsSecrets() {
        for text in texts(of: configuration).prefix(3) {
            #expect(text.contains("notes") && text.contains("client_assertion") && text.contains("login.example.com"))
        }
    }

    @Test
    func aRequestShowsNoStateOfItsOwn() throws {
        for request in [try AuthorizationRequest(configuration), try ImplicitRequest(configuration)] as [Any] {
            let url = (request as? AuthorizationRequest)?.url ?? (request as? ImplicitRequest)?.url
            let state = Example.state(of: try #require(url))
            #expect(!state.isEmpty)
            for text in texts(of: request) { #expect(!text.contains(state)) }
        }
    }

    @Test
    func redirectBeingHandledIsNotShown() async throws {
        let session = OAuthSession(configuration) { $0.transport = StubTransport().on("*", .status(400)) }
        _ = await oauthError {
            try await session.signIn { page in
                let redirect = Example.redirect("?code=s3cret&state=\(Example.state(of: page))")
                #expect(await session.finishAuthenticating(redirect))
                expectNoSecret(in: session)
                return nil
            }
        }
    }

    @Test(arguments: [
        StubResponse.status(500), .status(400), .failure(NetworkFailure(.cannotConnect)), .json("{}"),
        .json(#"{"error":"invalid_grant s3cret","error_description":"not s3cret","error_uri":"https://e.com/s3cret"}"#),
        .json(#"{"error":"access_denied","error_description":"s3cret"}"#, status: 403),
        .redirect(to: "https://elsewhere.example.com/?code=s3cret"),
        .json(#"{"access_token":"s3cret","token_type":"s3cret"}"#),
        .json(#"{"access_token":"n3w","refused":"s3cret","token_type":"mac"}"#),
    ])
    func noErrorShowsIt(response: StubResponse) async throws {
        for (authentication, placement) in [
            (OAuthConfiguration.ClientAuthentication.basic, OAuthConfiguration.ParameterPlacement.body),
            (.parameters, .query), (.parameters, .body),
        ] {
            let logged = Recorder<String>()
            var configuration = configuration
            configuration.clientAuthentication = authentication
            configuration.parameterPlacement = placement
            let client = TokenClient(configuration) {
                $0.transport = StubTransport().on("*", response)
                $0.logger = RequestLogger(level: .debug) { logged.add($1) }
            }
            for grant in [
                Grant.refresh(Secret(Self.secret)), .password(user: "ada", password: Secret(Self.secret)),
                .authorizationCode(
                    Secret(Self.secret),
                    redirectURI: Example.redirect(""),
                    verifier: Secret(Self.secret)
                ),
            ] {
                let error = try #require(await oauthError { try await client.token(for: grant) })
                expectNoSecret(in: error)
                if let refusal = error.refusal { expectNoSecret(in: refusal) }
                if case .unavailable(let cause) = error {
                    expectNoSecret(in: cause)
                }
            }
            expectNoSecret(in: logged.elements)
        }
    }

    @Test
    func noErrorOfARedirectShowsIt() async throws {
        for rest in [
            "?error=access_denied&code=s3cret", "?code=s3cret&state=s3cret", "?code=s3cret&code=s3cret",
            "/x?code=s3cret", "#access_token=s3cret",
        ] {
            let request = try AuthorizationRequest(configuration)
            expectNoSecret(
                in: try #require(await oauthError { try await request.finish(redirect: Example.redirect(rest)) })
            )
            let implicit = try ImplicitRequest(configuration)
            expectNoSecret(
                in: try #require(await oauthError { try await implicit.finish(redirect: Example.redirect(rest)) })
            )
        }
    }
}
