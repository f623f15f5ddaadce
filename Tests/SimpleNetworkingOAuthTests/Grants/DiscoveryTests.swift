import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingOAuth

/// A server's endpoints, read from its metadata.
@Suite(.timeLimit(.minutes(5)))
struct DiscoveryTests {
    private let server = StubTransport()

    private func discover(_ issuer: String) async throws -> OAuthConfiguration {
        try await OAuthConfiguration.discover(Example.url(issuer), clientID: "notes") { [server] in
            $0.transport = server
            $0.clock = VirtualClock()
        }
    }

    private func metadata(_ issuer: String, _ rest: String = "") -> StubResponse {
        .json(
            #"{"issuer": "\#(issuer)", "authorization_endpoint": "\#(issuer)/a", "token_endpoint": "\#(issuer)/t"\#(rest)}"#
        )
    }

    @Test
    func allEndpointsAreRead() async throws {
        let rest = #"""
            , "revocation_endpoint": "https://e.com/r", "device_authorization_endpoint": "https://e.com/d",
            "pushed_authorization_request_endpoint": "https://e.com/p", "jwks_uri": "https://e.com/j"
            """#
        server.on("/.well-known/oauth-authorization-server", metadata("https://e.com", rest))
        let configuration = try await discover("https://e.com")
        #expect(configuration.issuer == "https://e.com")
        #expect(configuration.authorizationEndpoint == Example.url("https://e.com/a"))
        #expect(configuration.tokenEndpoint == Example.url("https://e.com/t"))
        #expect(configuration.revocationEndpoint == Example.url("https://e.com/r"))
        #expect(configuration.deviceAuthorizationEndpoint == Example.url("https://e.com/d"))
        #expect(configuration.pushedAuthorizationRequestEndpoint == Example.url("https://e.com/p"))
        #expect(configuration.clientID == "notes")
    }

    /// RFC 8414 puts the well-known path before the issuer's, OpenID behind it.
    @Test(arguments: [
        ("https://e.com", "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"),
        ("https://e.com/", "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"),

    ])
    func thePlacesOfBothStandardsAreTried(issuer: String, first: String, second: String) async throws {
        server.on(first, .status(404)).on(second, metadata(issuer))
        #expect(try await discover(issuer).issuer == issuer)
        #expect(server.log == ["GET " + first, "GET " + second])
    }

    /// RFC 8414 §3 and §5, OpenID Connect Discovery §4, and a location of no standard.
    @Test(arguments: 0..<4)
    func aPathGoesBehindOrBefore(number: Int) async throws {
        let paths = [
            "/.well-known/oauth-authorization-server/a/b", "/.well-known/openid-configuration/a/b",
            "/a/b/.well-known/openid-configuration", "/a/b/.well-known/oauth-authorization-server",
        ]
        server.on(paths[number], metadata("https://e.com/a/b")).on("*", .status(404))
        #expect(try await discover("https://e.com/a/b").issuer == "https://e.com/a/b")
        #expect(server.log == paths.prefix(number + 1).map { "GET " + $0 })
    }

    @Test
    func aPageInPlaceOfMetadataIsNone() async throws {
        server.on("/.well-known/oauth-authorization-server", .text("<html>")).on("*", metadata("https://e.com"))
        #expect(try await discover("https://e.com").issuer == "https://e.com")
    }

    @Test(arguments: ["https://evil.example", "https://e.com/", "https://E.com", "http://e.com"])
    func metadataOfAnotherIssuerIsRefused(issuer: String) async throws {
        server.on("*", metadata(issuer))
        guard case .invalidMetadata(let reason)? = await oauthError({ try await discover("https://e.com") }) else {
            throw Surprise("it was accepted")
        }
        #expect(reason.contains("another issuer"))
    }

    /// The user's setting for plain http doesn't extend to what a server says over https.
    @Test(
        arguments: [
            "authorization_endpoint", "token_endpoint", "revocation_endpoint", "device_authorization_endpoint",
            "pushed_authorization_request_endpoint",
        ],
        ["http://e.com/x", "HTTP://e.com/x", "http://127.0.0.1/x", "http://localhost:8080/x"]
    )
    func metadataDoesNotLeadToHTTP(name: String, endpoint: String) async throws {
        server.on("*", .json(#"{"issuer": "https://e.com", "\#(name)": "\#(endpoint)"}"#))
        guard case .invalidMetadata(let reason)? = await oauthError({ try await discover("https://e.com") }) else {
            throw Surprise("it was accepted")
        }
        #expect(reason.contains("it leads from https to http"))
    }

    @Test
    func metadataOfALocalServerNamesItsOwnEndpoints() async throws {
        server.on("*", metadata("http://127.0.0.1"))
        #expect(try await discover("http://127.0.0.1").tokenEndpoint == Example.url("http://127.0.0.1/t"))
    }

    @Test
    func withoutMetadataTheErrorSaysWhereItWasLookedFor() async throws {
        server.on("*", .status(404))
        guard case .invalidMetadata(let reason)? = await oauthError({ try await discover("https://e.com") }) else {
            throw Surprise("it was found")
        }
        #expect(
            reason == "there is none at /.well-known/oauth-authorization-server and /.well-known/openid-configuration"
        )
    }

    @Test(arguments: [StubResponse.status(503), .status(429), .status(408), .failure(.offline)])
    func aServerThatIsDownIsToldFromOneWithoutMetadata(response: StubResponse) async throws {
        server.on("/.well-known/oauth-authorization-server", response).on("*", .status(404))
        #expect(await oauthError { try await discover("https://e.com") }?.isTransient == true)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [
        StubResponse.status(502), .status(404), .status(401), .status(429), .status(204), .failure(.offline),
        .failure(.connectionLost), .text("<html>"), .json("[]"), .json("{}"), .json(#"{"issuer": 7}"#),
        .json(#"{"issuer"#),
        .redirect(to: "ftp://e.com/"),
    ])
    func anyFailureLeadsToTheNextLocation(response: StubResponse) async throws {
        server.on("/.well-known/oauth-authorization-server", response).on("*", metadata("https://e.com"))
        #expect(try await discover("https://e.com").issuer == "https://e.com")
    }

    @Test
    func anotherIssuerLeadsToNoOtherLocation() async throws {
        server.on("/.well-known/oauth-authorization-server", metadata("https://evil.example"))
            .on("*", metadata("https://e.com"))
        #expect(await oauthError { try await discover("https://e.com") }?.name == "invalidMetadata")
        #expect(server.requests.count == 1)
    }

    @Test
    func cancellingEndsDiscovery() async throws {
        server.on("*", .silence)
        let task = Task { try await discover("https://e.com/a") }
        while server.requests.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.count == 1)
    }

    @Test(
        arguments: [
            "revocation_endpoint", "device_authorization_endpoint", "token_endpoint_auth_methods_supported",
            "authorization_response_iss_parameter_supported", "jwks_uri", "scopes_supported",
        ],
        [
            "null", #""""#, "0", "-1", "1e300", "true", #""yes""#, "[]", "[null]", "{}", #"{"a": [{"b": []}]}"#,
            #""TBD""#, #""not set yet""#, #""/relative""#, #""https://""#, #""\u0000""#,
        ]
    )
    func aMemberThatCannotBeReadCountsAsMissing(name: String, value: String) async throws {
        server.on("*", metadata("https://e.com", ", \"\(name)\": \(value)"))
        let configuration = try await discover("https://e.com")
        #expect(configuration.tokenEndpoint == Example.url("https://e.com/t"))
        #expect(configuration.revocationEndpoint == nil && configuration.deviceAuthorizationEndpoint == nil)
    }

    /// The nested values are not read, because each takes space on the stack.
    @Test
    func deeplyNestedMembersAreSkipped() async throws {
        let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        server.on("*", metadata("https://e.com", ", \"more\": \(deep)"))
        #expect(try await discover("https://e.com").tokenEndpoint != nil)
    }

    @Test
    func anInsecureIssuerIsNotAsked() async throws {
        #expect(await oauthError { try await discover("http://e.com") }?.name == "configuration")
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [
        (#", "token_endpoint_auth_methods_supported": ["client_secret_post"]"#, true),
        (#", "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"]"#, false),
        (#", "token_endpoint_auth_methods_supported": ["private_key_jwt"]"#, false), ("", false),
        (#", "token_endpoint_auth_methods_supported": "client_secret_post""#, true),
        (#", "token_endpoint_auth_methods_supported": "client_secret_post client_secret_basic""#, false),
        (#", "token_endpoint_auth_methods_supported": [null, 1, "client_secret_post"]"#, true),
    ])
    func theSecretIsSentAsTheServerWantsIt(rest: String, isParameter: Bool) async throws {
        server.on("*", metadata("https://e.com", rest))
        switch try await discover("https://e.com").clientAuthentication {
        case .parameters: #expect(isParameter)
        case .basic: #expect(!isParameter)
        }
    }

    /// A redirect without `iss` is refused only if the server says that it sends one.
    @Test(
        arguments: [
            ("true", "", "issuerMismatch"), ("true", "&iss=https://e.com", nil), ("false", "", nil),
            ("false", "&iss=https://e.com", nil), ("false", "&iss=https://evil.example", "issuerMismatch"),
            (#""true""#, "", "issuerMismatch"), (#""false""#, "", nil), ("1", "", "issuerMismatch"), ("0", "", nil),
            (#""maybe""#, "", nil),
        ] as [(String, String, String?)]
    )
    func redirectsAreCheckedAgainstTheIssuer(isSent: String, rest: String, end: String?) async throws {
        let flag = #", "authorization_response_iss_parameter_supported": \#(isSent)"#
        server.on("*", metadata("https://e.com", flag))
        var configuration = try await discover("https://e.com")
        configuration.redirectURI = Example.configuration.redirectURI
        let request = try AuthorizationRequest(configuration)
        let redirect = Example.redirect("?code=c&state=\(Example.state(of: request.url))" + rest)
        #expect(await oauthError { try await request.finish(redirect: redirect) }?.name == end)
    }
}
