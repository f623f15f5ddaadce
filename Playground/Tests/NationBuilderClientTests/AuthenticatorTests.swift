import DemoServer
import Foundation
import NationBuilderClient
import SimpleNetworking
import SimpleNetworkingOAuth
import SimpleNetworkingTesting
import Testing

/// NB-70 to NB-92: signing in, in a browser and with a password.
///
/// The Keychain, URL types and Safari need an Apple system.
@Suite(.timeLimit(.minutes(1)))
struct AuthenticatorTests {
    private static let credential = OAuthToken(accessToken: Secret("t0ken"))

    private func authenticator(
        _ url: URL? = URL(string: "https://abe.nationbuilder.com"),
        clientID: String = "c",
        scheme: String? = "sample-app.nationbuilder",
        store: NationCredentialStore = .memory(),
        usesState: Bool = true,
        logger: RequestLogger = .silent,
        server: StubTransport? = nil
    ) throws -> NationAuthenticator {
        NationAuthenticator(
            baseURL: try #require(url),
            clientID: clientID,
            clientSecret: Secret("demo-secret"),
            redirectScheme: scheme,
            store: store,
            logger: logger,
            adjust: { $0.usesState = usesState },
            configure: { if let server { $0.transport = server } }
        )
    }

    private func failure(_ work: () async throws -> OAuthToken) async -> NationError? {
        await #expect(throws: NationError.self) { _ = try await work() }
    }

    // NB-70, NB-71
    @Test
    func anAuthenticatorBeginsWithTheHostsName() async throws {
        let authenticator = try authenticator()
        #expect(await authenticator.credentialIdentifier == "abe.nationbuilder.com")
        #expect(await authenticator.isPersistent)
        #expect(OAuthToken(accessToken: Secret("t")).type.lowercased() == "bearer")
    }

    // NB-72
    @Test
    func aCredentialIsInMemoryOrInTheStore() async throws {
        let store = NationCredentialStore.memory()
        #expect(await store.save(Self.credential, for: "abe.nationbuilder.com"))
        let first = try authenticator(store: store)
        #expect(await first.credential == Self.credential)
        try await first.use(nil)
        #expect(await store.fetch("abe.nationbuilder.com") == Self.credential)
        let second = try authenticator()
        try await second.use(Self.credential)
        #expect(await second.credential == Self.credential)
    }

    // NB-72
    @Test
    func aTransientCredentialIsNotStored() async throws {
        let store = NationCredentialStore.memory()
        let authenticator = try authenticator(store: store)
        await authenticator.persist(false)
        try await authenticator.use(Self.credential)
        #expect(await authenticator.credential == Self.credential)
        #expect(await store.fetch("abe.nationbuilder.com") == nil)
    }

    // NB-70, NB-72
    @Test
    func aCredentialOutlivesTheProgramUnlessAStoreIsNamed() async {
        // A process of its own, since other tests read the environment while this one changes it.
        await #expect(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            setenv("XDG_DATA_HOME", folder.path, 1)
            defer { try? FileManager.default.removeItem(at: folder) }
            let url = try #require(URL(string: "https://kept.nationbuilder.com"))
            try await NationAuthenticator(baseURL: url, clientID: "c").use(AuthenticatorTests.credential)
            // The next start of the program has an authenticator of its own.
            let next = NationAuthenticator(baseURL: url, clientID: "c")
            #expect(await next.credential == AuthenticatorTests.credential)
            #expect(await next.discardCredential())
            #expect(await NationAuthenticator(baseURL: url, clientID: "c").credential == nil)
        }
    }

    // NB-73
    @Test(arguments: [false, true])
    func aStoreSavesFetchesAndDeletesByName(isInFiles: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = isInFiles ? NationCredentialStore.files(in: folder) : .memory()
        #expect(await store.fetch("a") == nil)
        #expect(await !store.save(nil, for: "a"))
        #expect(await !store.delete("a"))
        #expect(await store.save(Self.credential, for: "a"))
        #expect(await store.save(OAuthToken(accessToken: Secret("u")), for: "a"))
        #expect(await store.fetch("a")?.accessToken == Secret("u"))
        #expect(await store.fetch("b") == nil)
        #expect(await store.delete("a"))
        #expect(await store.fetch("a") == nil)
    }

    // NB-73, NB-92
    @Test
    func aNameWithSlashesStaysInTheFolder() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = NationCredentialStore.files(in: folder)
        #expect(await store.save(Self.credential, for: "host-a/../../b%2F-5"))
        #expect(await store.fetch("host-a/../../b%2F-5") == Self.credential)
        #expect(await store.fetch("host-a/../../b/-5") == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.contains("host-a%2F..%2F..%2Fb%252F-5.json"))
    }

    // NB-74
    @Test
    func discardingReturnsWhetherThereWasACredential() async throws {
        let store = NationCredentialStore.memory()
        let authenticator = try authenticator(store: store)
        #expect(await !authenticator.discardCredential())
        try await authenticator.use(Self.credential)
        #expect(await authenticator.discardCredential())
        #expect(await authenticator.credential == nil)
        #expect(await store.fetch("abe.nationbuilder.com") == nil)
        await authenticator.persist(false)
        try await authenticator.use(Self.credential)
        #expect(await !authenticator.discardCredential())
        #expect(await authenticator.credential == nil)
    }

    // NB-75
    @Test
    func aStoredCredentialNeedsNoBrowserAndNoServer() async throws {
        let authenticator = try authenticator(scheme: nil, server: StubTransport())
        try await authenticator.use(Self.credential)
        #expect(try await authenticator.authenticate(presenting: nil) == Self.credential)
        #expect(try await authenticator.authenticate(user: "u", password: Secret("p")) == Self.credential)
    }

    // NB-76, NB-78, NB-89
    @Test
    func thePageIsSortedAndItsRedirectEncoded() throws {
        let authenticator = try authenticator(usesState: false)
        let page =
            "https://abe.nationbuilder.com/oauth/authorize?client_id=c"
            + "&redirect_uri=sample-app.nationbuilder%3A%2F%2Foauth%2Fcallback&response_type=token"
        #expect(try authenticator.authorizeURL().absoluteString == page)
    }

    // NB-77
    @Test
    func withoutASchemeNothingBegins() async throws {
        let authenticator = try authenticator(scheme: nil)
        #expect(await failure { try await authenticator.authenticate { _ in nil } }?.code == .missingScheme)
        #expect(Bundle.main.redirectScheme == nil)
    }

    // NB-79
    @Test
    func aSignOutMayComeFirst() async throws {
        try await withNation { server, url in
            let authenticator = try authenticator(url, usesState: false)
            authenticator.signOutFirst()
            let pages = Lines()
            for _ in 1...2 {
                _ = try await authenticator.authenticate { page in
                    pages.add(page.absoluteString)
                    return try await browse(page)
                }
                await authenticator.discardCredential()
            }
            #expect(pages.all.first?.hasPrefix("\(url.absoluteString)/logout?url=http%3A%2F%2F127") == true)
            #expect(pages.all.last?.hasPrefix("\(url.absoluteString)/oauth/authorize?") == true)
            #expect(await server.log.lines.first?.hasPrefix("GET /nation/logout") == true)
        }
    }

    // NB-80
    @Test
    func withoutABrowserNothingBegins() async throws {
        let authenticator = try authenticator()
        #expect(await failure { try await authenticator.authenticate(presenting: nil) }?.code == .missingBrowser)
        #expect(await !authenticator.isAuthenticatingInWebBrowser)
    }

    // NB-81, NB-84
    @Test
    func theRedirectURLEndsTheWaitingSignIn() async throws {
        try await withNation { _, url in
            let authenticator = try authenticator(url, scheme: "hand-over")
            let (pages, shown) = AsyncStream<URL>.makeStream()
            let signIn = Task {
                try await authenticator.authenticate { page in
                    shown.yield(page)
                    return nil
                }
            }
            for await page in pages {
                let redirect = try #require(try await browse(page))
                #expect(await authenticator.isAuthenticatingInWebBrowser)
                let other = redirect.absoluteString.replacingOccurrences(of: "hand-over", with: "other")
                #expect(await !NationAuthenticator.finishAuthenticating(try #require(URL(string: other))))
                #expect(await NationAuthenticator.finishAuthenticating(redirect))
                #expect(await authenticator.credential?.accessToken == Secret("demo-oauth-1"))
                #expect(await !NationAuthenticator.finishAuthenticating(redirect))
                break
            }
            #expect(try await signIn.value.accessToken == Secret("demo-oauth-1"))
            #expect(await !authenticator.isAuthenticatingInWebBrowser)
        }
    }

    // NB-81: a token in the query, which servers see, is none.
    @Test(arguments: ["?access_token=t", "#token_type=bearer", ""])
    func aRedirectWithoutATokenInItsFragmentIsAnError(end: String) async throws {
        let authenticator = try authenticator(usesState: false)
        let error = await failure {
            try await authenticator.authenticate { _ in URL(string: "sample-app.nationbuilder://oauth/callback" + end) }
        }
        #expect(error?.code == .authentication)
        #expect(await authenticator.credential == nil)
    }

    // NB-82
    @Test
    func aDenialIsQuoted() async throws {
        try await withNation { _, url in
            let authenticator = try authenticator(url, clientID: "unloved")
            let error = await failure { try await authenticator.authenticate { try await browse($0) } }
            #expect(error?.code == .authentication && error?.description.contains("access_denied") == true)
            #expect(error?.failureReason == "The resource owner denied the request.")
        }
    }

    // NB-83, NB-84
    @Test
    func returningWithoutSigningInIsAnError() async throws {
        let authenticator = try authenticator()
        let error = await failure {
            try await authenticator.authenticate { _ in
                await authenticator.userDidReturn()
                return nil
            }
        }
        #expect(error?.code == .stopped)
        #expect(await !authenticator.isAuthenticatingInWebBrowser)
    }

    // NB-84
    @Test
    func aSecondSignInEndsTheFirst() async throws {
        let authenticator = try authenticator()
        let (shows, shown) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await authenticator.authenticate { _ in
                shown.finish()
                return nil
            }
        }
        for await _ in shows {}
        let second = await failure {
            try await authenticator.authenticate { _ in
                await authenticator.userDidReturn()
                return nil
            }
        }
        let error = await #expect(throws: NationError.self) { try await first.value }
        #expect(error?.code == .authentication && second?.code == .stopped)
    }

    // NB-85
    @Test
    func anotherStateIsAnError() async throws {
        let authenticator = try authenticator()
        let redirect = "sample-app.nationbuilder://oauth/callback#access_token=t&state=other"
        let error = await failure { try await authenticator.authenticate { _ in URL(string: redirect) } }
        #expect(error?.code == .authentication)
    }

    // NB-86
    @Test(arguments: [OAuthConfiguration.ParameterPlacement.body, .query])
    func aPasswordGoesIntoAFormOrIntoTheURL(placement: OAuthConfiguration.ParameterPlacement) async throws {
        let server = StubTransport().on("*", .json(#"{"access_token": "t"}"#))
        let authenticator = NationAuthenticator(
            baseURL: try #require(URL(string: "https://abe.nationbuilder.com")),
            clientID: "c",
            clientSecret: Secret("s"),
            store: .memory(),
            adjust: { $0.parameterPlacement = placement },
            configure: { $0.transport = server }
        )
        #expect(try await authenticator.authenticate(user: "u", password: Secret("p")).type == "Bearer")
        let request = try #require(server.requests.first)
        let text = (placement == .body ? request.text : request.url.query) ?? ""
        let pairs = ["client_id=c", "client_secret=s", "grant_type=password", "password=p", "username=u"]
        #expect(text.split(separator: "&").map(String.init).sorted() == pairs)
        #expect(request.method == .post && request.url.path == "/oauth/token" && request.timeout == 10)
        #expect(request.headers["Accept"] == "application/json")
    }

    // NB-87, NB-88
    @Test(arguments: [
        (
            StubResponse.json(#"{"error": "invalid_grant", "error_description": "Wrong."}"#, status: 401), "401",
            "Wrong."
        ),
        (.json(#"{"error": "invalid_grant", "error_description": "Wrong."}"#), "invalid_grant", "Wrong."),
        (.status(500), "500", ""), (.text("<html>"), "200", ""), (.json("{}"), "no access token", ""),
    ])
    func aRejectedPasswordHasAReason(response: StubResponse, text: String, reason: String) async throws {
        let authenticator = try authenticator(server: StubTransport().on("*", response))
        let error = await failure { try await authenticator.authenticate(user: "u", password: Secret("p")) }
        #expect(
            error?.code == .authentication && error?.description.contains(text) == true,
            "\(String(describing: error))"
        )
        if !reason.isEmpty { #expect(error?.failureReason == reason) }
        #expect(await authenticator.credential == nil)
    }

    // NB-87
    @Test
    func aTransportErrorIsThrownAsItIs() async throws {
        let server = StubTransport().on("*", .failure(NetworkFailure(.connectionLost)))
        let authenticator = try authenticator(server: server)
        await #expect(throws: SimpleNetworkingError.self) {
            _ = try await authenticator.authenticate(user: "u", password: Secret("p"))
        }
    }

    // NB-86, NB-87, over a socket.
    @Test
    func adaSignsInWithHerPassword() async throws {
        try await withNation { _, url in
            let authenticator = try authenticator(url)
            let error = await failure { try await authenticator.authenticate(user: "ada", password: Secret("x")) }
            #expect(error?.description.contains("401") == true)
            _ = try await authenticator.authenticate(user: "ada", password: Secret("lovelace"))
            #expect(await authenticator.credential?.accessToken == Secret("demo-oauth-1"))
        }
    }

    // NB-90, NB-97, NB-98
    @Test
    func noTextShowsTheToken() async throws {
        try await withNation { _, url in
            let lines = Lines()
            let authenticator = try authenticator(
                url,
                logger: RequestLogger(level: .debug) { lines.add("\($0) \($1)") }
            )
            let credential = try await authenticator.authenticate { try await browse($0) }
            await authenticator.discardCredential()
            _ = await failure { try await authenticator.authenticate(user: "ada", password: Secret("s3cret-pass")) }
            let text = "\(credential)" + String(reflecting: credential) + lines.all.joined()
            for secret in ["demo-oauth-1", "s3cret-pass", "demo-secret"] { #expect(!text.contains(secret)) }
            #expect(lines.all.map { $0.prefix { $0 != " " } } == ["info", "error"])
        }
    }

    // NB-92
    @Test(arguments: [
        (#""username": "abe", "full_name": "Abe L.", "email": "a@b.c","#, "abe"),
        (#""full_name": "Abe L.", "email": "a@b.c","#, "Abe L."), (#""email": "a@b.c","#, "a@b.c"),
    ])
    func anAccountIsKeptUnderItsUsersName(names: String, name: String) async throws {
        let picture = "https://pictures.example/abe.png"
        let server = StubTransport()
            .on("/api/v1/people/me", .json(#"{"person": {\#(names) "profile_image_url_ssl": "\#(picture)", "id": 5}}"#))
            .on("/abe.png", .data(Data([1, 2]), type: "image/png"))
        let store = NationCredentialStore.memory()
        let authenticator = try authenticator(store: store)
        let nation = NationBuilder(slug: "abe", authenticator: authenticator) { $0.transport = server }
        let account = NationAccount(nation, authenticator)
        try await account.begin(with: Self.credential)
        let identifier = "abe.nationbuilder.com-\(name)-5"
        #expect(account.name == name && nation.apiKey == "t0ken")
        #expect(await authenticator.credentialIdentifier == identifier)
        #expect(await store.fetch(identifier) == Self.credential)
        #expect(try await account.avatar() == Data([1, 2]))
        #expect(server.requests.last?.url.absoluteString == picture)
    }
}
