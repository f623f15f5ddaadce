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
    func aServiceNeedsNobody() async throws {
        let server = Example.configuration

        let session = OAuthSession(server, unattendedGrant: .clientCredentials)
        let token = try await session.currentToken()

        #expect(token.accessToken == Secret("a"))
        #expect(stub.requests.first?.text?.contains("grant_type=client_credentials") == true)
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
    func theDefaultsAreAsPrinted() {
        let configuration = OAuthConfiguration(clientID: "notes")
        #expect(configuration.expirySkew == 60)
        #expect(configuration.usesState)
        #expect(!configuration.allowsPlainHTTP)
        #expect(configuration.scopes.isEmpty)
        #expect(configuration.clientSecret == nil)
    }
}
