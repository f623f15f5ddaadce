import Foundation
import SimpleNetworking
import SimpleNetworkingOAuth
import SimpleNetworkingTesting
import Synchronization
import Testing

/// Runs every sample of the OAuth product's documents, and checks what they say about it.
@Suite(.timeLimit(.minutes(5)))
struct OAuthSamples {
    private let stub = StubTransport()
        .on(.post, "/token", .json(#"{"access_token": "a", "refresh_token": "r", "expires_in": 3600}"#))
        .on(.post, "/oauth/token", .json(#"{"access_token": "a", "token_type": "bearer"}"#))
        .on(.get, "/notes", .json("[]"))

    /// What the samples make, with a stub in place of the network.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    private func OAuthSession(
        _ configuration: OAuthConfiguration,
        store: any CredentialStore = MemoryCredentialStore(),
        unattendedGrant: Grant? = nil
    ) -> SimpleNetworkingOAuth.OAuthSession {
        SimpleNetworkingOAuth.OAuthSession(configuration, store: store, unattendedGrant: unattendedGrant) {
            $0.transport = stub
        }
    }

    @Test
    func theOverviewSignsInAndGivesAToken() async throws {
        struct Browser {
            func open(_ page: URL) async throws -> URL? {
                URL(string: "notes:/signed-in?code=c&state=\(Example.state(of: page))")
            }
        }
        let scratch = ScratchFile()
        let file = scratch.url
        let browser = Browser()

        var server = OAuthConfiguration(clientID: "notes", redirectURI: URL(string: "notes:/signed-in"))
        server.authorizationEndpoint = URL(string: "https://login.example.com/authorize")
        server.tokenEndpoint = URL(string: "https://login.example.com/token")
        server.scopes = ["notes.read", "notes.write"]

        let session = OAuthSession(server, store: FileCredentialStore(file))
        try await session.signIn { page in try await browser.open(page) }
        let token = try await session.currentToken()

        #expect(token.accessToken == Secret("a"))
        #expect(try await FileCredentialStore(file).load() == token)
        #expect(stub.log == ["POST /token"])
    }

    @Test
    func anAppsHandlerFinishesASignIn() async throws {
        let session = OAuthSession(Example.configuration)
        let (pages, page) = AsyncStream<URL>.makeStream()
        @Sendable
        func openInBrowser(_ url: URL) async { page.yield(url) }

        let signingIn = Task {
            try await session.signIn { page in
                await openInBrowser(page)
                return nil
            }
        }

        let state = Example.state(of: await pages.first { _ in true } ?? Example.url(""))
        let redirect = Example.redirect("?code=c&state=\(state)")
        let isOurs = await session.finishAuthenticating(redirect)
        #expect(isOurs)
        #expect(try await signingIn.value.accessToken == Secret("a"))
    }

    @Test
    func aToolPrintsThePage() async throws {
        let session = OAuthSession(Example.configuration)
        let visit = Mutex<Task<Void, Never>?>(nil)
        @Sendable
        func print(_ line: String) {
            let page = Example.url(line.split(separator: " ").map(String.init)[1])
            let redirect = Example.value(of: "redirect_uri", in: page) + "?code=c&state=\(Example.state(of: page))"
            visit.withLock { visit in
                visit = Task { _ = await SimpleNetworking(baseURL: page).get(redirect).ended() }
            }
        }

        let token = try await session.signInByLoopback { page in print("Open \(page) to sign in.") }

        #expect(token.accessToken == Secret("a"))
        await visit.withLock { $0 }?.value
    }

    @Test
    func anIssuerIsEnough() async throws {
        let server = stub
        server.on(
            "/.well-known/oauth-authorization-server",
            .json(#"{"issuer": "https://login.example.com", "token_endpoint": "https://login.example.com/token"}"#)
        )
        let issuer = Example.url("https://login.example.com")
        let redirectURI = Example.url("notes:/signed-in")
        enum OAuthConfiguration {
            static let stub = Mutex<StubTransport?>(nil)
            static func discover(
                _ issuer: URL,
                clientID: String,
                redirectURI: URL
            ) async throws -> SimpleNetworkingOAuth.OAuthConfiguration {
                let stub = stub.withLock { $0 }
                return try await .discover(issuer, clientID: clientID, redirectURI: redirectURI) {
                    $0.transport = stub ?? StubTransport()
                }
            }
        }
        OAuthConfiguration.stub.withLock { $0 = stub }
        try await { () async throws in
            var server = try await OAuthConfiguration.discover(issuer, clientID: "notes", redirectURI: redirectURI)
            server.scopes = ["openid", "notes"]
            let session = OAuthSession(server)

            #expect(session.configuration.tokenEndpoint == Example.url("https://login.example.com/token"))
        }()
    }

    @Test
    func aDeviceShowsACode() async throws {
        stub.on(
            "/device",
            .json(
                #"{"device_code": "d", "user_code": "AB", "verification_uri": "https://e.com", "expires_in": 9, "interval": 0}"#
            )
        )
        var configuration = Example.configuration
        configuration.deviceAuthorizationEndpoint = Example.url("https://login.example.com/device")
        let session = OAuthSession(configuration)
        let printed = Mutex("")
        @Sendable
        func print(_ line: String) { printed.withLock { $0 = line } }

        let token = try await session.signInByDevice { prompt in
            print("Open \(prompt.verificationURI) and enter \(prompt.userCode).")
        }

        #expect(token.accessToken == Secret("a"))
        #expect(printed.withLock { $0 } == "Open https://e.com and enter AB.")
    }

    @Test
    func anIDTokenNamesTheUser() throws {
        let claims = Data(#"{"iss": "i", "sub": "7", "aud": "notes", "exp": 1}"#.utf8).base64EncodedString()
        let payload = claims.replacingOccurrences(of: "=", with: "")
        let token = OAuthToken(accessToken: Secret("a"), extra: ["id_token": Secret("e30.\(payload).c2ln")])

        let user = try token.idToken?.subject

        #expect(user == "7")
    }

    @Test
    func aTokenIsExchanged() async throws {
        let server = Example.configuration
        let token = Example.freshToken
        typealias Client = SimpleNetworking
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String, configure: (inout Client.Configuration) -> Void) -> Client {
            Client(host: host) {
                configure(&$0)
                $0.transport = stub
            }
        }

        let exchanged = OAuthSession(server, unattendedGrant: .tokenExchange(token.accessToken, audiences: ["billing"]))
        let billing = SimpleNetworking(host: "billing.example.com") { $0.authenticator = exchanged }

        #expect(await billing.get("/notes").ended().value != nil)
        #expect(stub.requests.first?.text?.contains("audience=billing") == true)
    }

    @Test
    func aServiceSignsInForItself() async throws {
        typealias Client = SimpleNetworking
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String, configure: (inout Client.Configuration) -> Void) -> Client {
            Client(host: host) {
                configure(&$0)
                $0.transport = stub
            }
        }
        stub.on(.get, "/invoices", .json(#"["1"]"#))

        var service = OAuthConfiguration(clientID: "billing", clientSecret: Secret("…"))
        service.tokenEndpoint = URL(string: "https://login.example.com/token")
        service.scopes = ["invoices"]
        let session = OAuthSession(service, unattendedGrant: .clientCredentials)
        let api = SimpleNetworking(host: "api.example.com") { $0.authenticator = session }
        let invoices = try await api.send(Request<[String]>.get("/invoices")).value

        #expect(invoices == ["1"])
        #expect(stub.log == ["POST /token", "GET /invoices"])
    }

    @Test
    func anOldAPIGetsItsParametersInTheAddress() async throws {
        var nation = OAuthConfiguration(clientID: "sample-app", clientSecret: Secret("…"))
        nation.tokenEndpoint = URL(string: "https://sample.nationbuilder.com/oauth/token")
        nation.parameterPlacement = .query
        nation.clientAuthentication = .parameters
        let session = OAuthSession(nation)
        try await session.signIn(user: "ada", password: Secret("…"))

        let query = "grant_type=password&username=ada&password=%E2%80%A6&client_id=sample-app&client_secret=%E2%80%A6"
        #expect(stub.requests.first?.url.query == query)
    }

    @Test
    func theTokenIsSent() async throws {
        let session = OAuthSession(Example.configuration, store: MemoryCredentialStore(Example.freshToken))
        typealias Client = SimpleNetworking
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String, configure: (inout Client.Configuration) -> Void) -> Client {
            Client(host: host) {
                configure(&$0)
                $0.transport = stub
            }
        }

        let api = SimpleNetworking(host: "api.example.com") { $0.authenticator = session }
        let notes = try await api.send(Request<[String]>.get("/notes")).value

        #expect(notes.isEmpty)
        #expect(stub.requests.first?.headers["Authorization"] == "Bearer a")
    }

    @Test
    func aServersOwnCodeEndsTheSession() async throws {
        let stub = StubTransport().on(.post, "/token", .json(#"{"error": "session_gone"}"#, status: 400))
        var server = Example.configuration

        server.sessionEndingCodes = [.init(rawValue: "session_gone")]

        let store = MemoryCredentialStore(Example.freshToken)
        let session = SimpleNetworkingOAuth.OAuthSession(server, store: store) { $0.transport = stub }
        await #expect(throws: OAuthError.self) { try await session.refresh(Example.freshToken) }
        #expect(await store.load() == nil)
    }

    @Test
    func theDefaultsAreAsPrinted() {
        let configuration = OAuthConfiguration(clientID: "notes")
        #expect(configuration.expirySkew == 60)
        #expect(configuration.usesState)
        #expect(!configuration.allowsPlainHTTP)
        #expect(configuration.scopes.isEmpty)
        #expect(configuration.clientSecret == nil)
    }
}
