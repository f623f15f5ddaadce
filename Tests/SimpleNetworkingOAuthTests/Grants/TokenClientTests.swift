import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingOAuth

@Suite(.timeLimit(.minutes(5)))
struct TokenClientTests {
    private let server = StubTransport()
    private let reply = #"{"access_token": "a", "token_type": "Bearer", "expires_in": 3600}"#

    private func client(_ change: (inout OAuthConfiguration) -> Void = { _ in }) -> TokenClient {
        var configuration = Example.configuration
        change(&configuration)
        return TokenClient(configuration) {
            $0.transport = server
            // The deadline of 30 s must not pass on a busy machine.
            $0.clock = VirtualClock()
        }
    }

    @Test
    func theParametersAreAForm() async throws {
        server.on(.post, "/token", .json(reply))
        let client = client {
            $0.clientSecret = Secret("s&1")
            $0.clientAuthentication = .parameters
            $0.scopes = ["x", "y"]
            $0.tokenParameters = ["audience": "z", "grant_type": "mine"]
        }
        _ = try await client.token(for: .password(user: "ada", password: Secret("p w+d")))
        let request = try #require(server.requests.first)
        #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(request.headers["Accept"] == "application/json")
        #expect(request.headers["Authorization"] == nil)
        #expect(request.url.absoluteString == "https://login.example.com/token")
        #expect(
            request.form == [
                "grant_type": "password", "username": "ada", "password": "p w+d", "scope": "x y", "client_id": "notes",
                "client_secret": "s&1", "audience": "z",
            ]
        )
    }

    @Test
    func oldAPIsGetThemInTheQuery() async throws {
        server.on(.post, "/token", .json(reply))
        let client = client {
            $0.parameterPlacement = .query
            $0.tokenEndpoint = Example.url("https://login.example.com/token?v=1")
        }
        _ = try await client.token(for: .password(user: "ada", password: Secret("p+w")))
        let request = try #require(server.requests.first)
        #expect(request.url.query == "v=1&grant_type=password&username=ada&password=p%2Bw&client_id=notes")
        #expect(request.form.isEmpty)
        #expect(request.headers["Content-Type"] == nil)
    }

    @Test
    func basicCredentialsAreFormEncodedFirst() async throws {
        server.on(.post, "/token", .json(reply))
        let client = client {
            $0.clientID = "my app:1"
            $0.clientSecret = Secret("s%é")
        }
        _ = try await client.token(for: .clientCredentials)
        let request = try #require(server.requests.first)
        let expected = Data("my%20app%3A1:s%25%C3%A9".utf8).base64EncodedString()
        #expect(request.headers["Authorization"] == "Basic \(expected)")
        #expect(request.form == ["grant_type": "client_credentials"])
    }

    @Test
    func basicWithoutASecretSendsTheNameAlone() async throws {
        server.on(.post, "/token", .json(reply))
        _ = try await client().token(for: .refresh(Secret("r")))
        let request = try #require(server.requests.first)
        #expect(request.headers["Authorization"] == nil)
        #expect(request.form == ["grant_type": "refresh_token", "refresh_token": "r", "client_id": "notes"])
    }

    @Test(arguments: [
        (#""Bearer""#, "Bearer"), (#""bearer""#, "bearer"), (#""BEARER""#, "BEARER"), ("null", "Bearer"),
        (#""""#, "Bearer"),
        (#""mac""#, nil), (#""DPoP""#, nil), (#""N_A""#, nil), (#""bearer ""#, nil),
    ])
    func onlyBearerTokensAreTaken(json: String, type: String?) async throws {
        server.on(.post, "/token", .json(#"{"access_token": "a", "token_type": \#(json)}"#))
        guard let type else {
            let error = await oauthError { try await client().token(for: .clientCredentials) }
            #expect(error?.name == "unknownTokenType")
            #expect(error?.isTransient == false && error?.endsSession == false)
            return
        }
        #expect(try await client().token(for: .clientCredentials).type == type)
    }

    @Test(arguments: [("N_A", true), ("n_a", true), ("Bearer", true), ("mac", false)])
    func anExchangeMayBringATokenThatIsNoAccessToken(type: String, isTaken: Bool) async throws {
        server.on(.post, "/token", .json(#"{"access_token": "a", "token_type": "\#(type)"}"#))
        let exchange = Grant(type: "urn:ietf:params:oauth:grant-type:token-exchange")
        let taken = Locked<String?>(nil)
        let error = await oauthError {
            let token = try await client().token(for: exchange)
            taken.withLock { $0 = token.type }
        }
        #expect(taken.withLock { $0 } == (isTaken ? type : nil))
        #expect(error?.name == (isTaken ? nil : "unknownTokenType"))
    }

    @Test
    func theErrorNamesATypeWithoutItsSecretsAndLineBreaks() async throws {
        server.on(.post, "/token", .json(#"{"access_token": "acc3ss", "token_type": "mac\nacc3ss r3fresh"}"#))
        let error = await oauthError { try await client().token(for: .refresh(Secret("r3fresh"))) }
        #expect(error?.description.contains("“mac ‹secret› ‹secret›”") == true)
    }

    /// What stands for `expires_in`, and the seconds it means.
    @Test(
        arguments: [
            ("3600", 3600), (#""3600""#, 3600), (#"" 60 ""#, 60), ("3599.5", 3599.5), ("0", 0), ("1e3", 1000),
            ("3600.0", 3600), (#""3600.0""#, 3600), ("{}", nil),
            ("null", nil), (#""soon""#, nil), (#""""#, nil), ("-1", nil), ("true", nil), ("[1]", nil), (#""nan""#, nil),
            ("1e300", 3_153_600_000), ("1e308", 3_153_600_000), ("-1e308", nil), (#""1e309""#, nil), ("1e309", nil),
            ("-9223372036854775808", nil), ("9223372036854775807", 3_153_600_000), (#""inf""#, nil),
            ("99999999999999999999", 3_153_600_000), (#""99999999999999999999""#, 3_153_600_000),
            ("2147483648", 2_147_483_648), (#""-99999999999999999999""#, nil),
        ] as [(String, TimeInterval?)]
    )
    func theLifeMayBeANumberOrAText(text: String, seconds: Double?) async throws {
        server.on(.post, "/token", .json(#"{"access_token": "a", "expires_in": \#(text)}"#))
        let token = try await client().token(for: .clientCredentials)
        #expect(token.expiresAt == seconds.map { Example.start.addingTimeInterval($0) })
        #expect(token.receivedAt == Example.start)
    }

    @Test
    func furtherFieldsOfTheTokenResponseAreKept() async throws {
        server.on(
            .post,
            "/token",
            .json(#"{"access_token":"a","refresh_token":"r","scope":"x","id_token":"i","n":1,"o":{"p":[null]}}"#)
        )
        let token = try await client().token(for: .clientCredentials)
        #expect(token.type == "Bearer")
        #expect(token.refreshToken == Secret("r"))
        #expect(token.scope == "x")
        #expect(token.extra == ["id_token": Secret("i"), "n": Secret("1")])
    }

    @Test(arguments: [
        (StubResponse.json("{}"), "missingToken"), (.json(#"{"access_token": ""}"#), "missingToken"),
        (.json(#"{"access_token": null}"#), "missingToken"), (.json(#"{"access_token": [7]}"#), "missingToken"),
        (.json("[]"), "invalidResponse"), (.text("<html>"), "invalidResponse"), (.status(204), "invalidResponse"),
        (.json(#"{"error": "invalid_grant"}"#), "invalid_grant"),
        (.json(#"{"error": "invalid_grant"}"#, status: 400), "invalid_grant"),
        (.json(#"{"error": "invalid_client"}"#, status: 401), "invalid_client"),
        (.json(#"{"error": "access_denied"}"#, status: 403), "denied"),
        (.json(#"{"error": {"code": 400}}"#, status: 400), "invalidResponse"), (.status(400), "invalidResponse"),
        (.status(401), "invalidResponse"), (.status(404), "invalidResponse"),
        (.status(408), "unavailable"), (.status(425), "unavailable"),
        (.status(403, headers: ["Retry-After": "60"]), "unavailable"), (.status(403), "invalidResponse"),
        (.status(429), "unavailable"), (.status(500), "unavailable"), (.status(503), "unavailable"),
        (.json(#"{"error": "invalid_grant"}"#, status: 502), "unavailable"),
        (.failure(NetworkFailure(.connectionLost)), "unavailable"),
        (.redirect(to: "https://elsewhere.example.com/token"), "invalidResponse"),
        (.redirect(to: "/token2", status: 307), "invalidResponse"),
    ])
    func whatIsNoTokenIsAnError(response: StubResponse, name: String) async {
        server.on(.post, "/token", response)
        let error = await oauthError { try await client().token(for: .refresh(Secret("r3fresh"))) }
        #expect(error?.name == name)
        #expect(error?.isTransient == (name == "unavailable"))
        #expect(error?.endsSession == (name == "invalid_grant"))
        // Neither a redirect nor a failure is followed by another request.
        #expect(server.log == ["POST /token"])
    }

    @Test
    func aServerThatRepeatsWhatItWasToldIsNotQuoted() async throws {
        server.on(.post, "/token") { request in
            .json(
                #"{"error": "invalid_grant", "error_description": "no such token: \#(request.form["refresh_token"] ?? "")"}"#,
                status: 400
            )
        }
        let error = await oauthError { try await client().token(for: .refresh(Secret("r3fresh"))) }
        #expect(error?.refusal?.explanation == "no such token: ‹secret›")
        #expect(error?.refusal?.httpStatus == 400)
        let text = "The authorization server refused: invalid_grant (no such token: ‹secret›)."
        #expect(error?.localizedDescription == text)
    }

    /// What a server makes of a secret that it was sent.
    @Test(arguments: ["sec%2Fret%3D12345", "c2VjL3JldD0xMjM0NQ==", "c2VjL3JldD0xMjM0NQ", "sec/ret=12345"])
    func encodedSecretsAreNotQuotedEither(echo: String) async throws {
        server.on(.post, "/token", .json(#"{"error": "invalid_client", "error_description": "\#(echo)"}"#, status: 400))
        let client = client { $0.clientSecret = Secret("sec/ret=12345") }
        let error = await oauthError { try await client.token(for: .refresh(Secret("r3fresh"))) }
        #expect(error?.refusal?.explanation == "‹secret›")
    }

    /// The store is locked meanwhile; it took time as text × secret.
    @Test
    func longTextsOfAServerAreSearchedInTheirLengthAndCut() {
        let secret = Secret(String(repeating: "a", count: 50_000) + "b")
        let text = String(repeating: "a", count: 500_000) + "\u{301}"
        #expect(text.quotable(hiding: [secret]).hasPrefix("‹secret›‹secret›"))
        let marks = "e" + String(repeating: "\u{301}", count: 100_000)
        #expect(marks.quotable(hiding: []).unicodeScalars.count == 500)
    }

    @Test
    func theBasicCredentialIsNotQuoted() async throws {
        server.on(.post, "/token") { request in
            let field = request.headers["Authorization"] ?? ""
            return .json(#"{"error": "invalid_client", "error_description": "\#(field)"}"#, status: 401)
        }
        let client = client {
            $0.clientSecret = Secret("sec/ret=12345")
            $0.clientAuthentication = .basic
        }
        let error = await oauthError { try await client.token(for: .refresh(Secret("r3fresh"))) }
        #expect(error?.refusal?.explanation == "Basic ‹secret›")
    }

    @Test(arguments: [OAuthConfiguration.ParameterPlacement.query, .body])
    func anUnavailableServerDoesNotQuoteTheGrant(placement: OAuthConfiguration.ParameterPlacement) async throws {
        server.on(.post, "/token", .text("down for ST-hunter22", status: 503))
        let client = client { $0.parameterPlacement = placement }
        let grant = Grant(type: "urn:example:ticket", parameters: [("ticket", Secret("ST-hunter22"))])
        let error = await oauthError { try await client.token(for: grant) }
        #expect(error?.name == "unavailable")
        var text = "\(error as Any)"
        dump(error, to: &text)
        #expect(!text.contains("hunter22"))
    }

    @Test
    func theScopeOfAGrantTakesPrecedence() async throws {
        server.on(.post, "/token", .json(reply))
        let grant = Grant(type: "urn:example:ticket", parameters: [("scope", Secret("own"))])
        _ = try await client { $0.scopes = ["x"] }.token(for: grant)
        #expect(server.requests.first?.text?.components(separatedBy: "scope=").dropFirst().count == 1)
        #expect(server.requests.first?.form["scope"] == "own")
    }

    @Test
    func plainHTTPEndpointOfAnotherMachineIsRefused() async {
        let client = client { $0.tokenEndpoint = Example.url("http://login.example.com/token") }
        #expect(await oauthError { try await client.token(for: .clientCredentials) }?.name == "configuration")
        #expect(server.log.isEmpty)
    }

    @Test(arguments: [(StubResponse.redirect(to: "/elsewhere"), "invalidResponse"), (.status(503), "unavailable")])
    func theCallersSettingsSendNothingTwice(response: StubResponse, name: String) async {
        server.on("*", response)
        let client = TokenClient(Example.configuration) {
            $0.transport = server
            $0.clock = VirtualClock()
            $0.redirectPolicy = .follow
            $0.retryPolicy = RetryPolicy(attempts: 3)
        }
        #expect(await oauthError { try await client.token(for: .clientCredentials) }?.name == name)
        #expect(server.log == ["POST /token"])
    }

    @Test
    func cancellingEndsTheWait() async throws {
        server.on("*", .silence)
        let client = client()
        let task = Task { try await client.token(for: .clientCredentials) }
        while server.requests.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
