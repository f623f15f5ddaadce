import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// Which requests share a stored response, and which do not.
@Suite(.timeLimit(.minutes(5)))
struct CachePartitionTests {
    private static let secret = "s3cret"

    private func world(_ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }) -> CachedWorld {
        let world = CachedWorld(configure)
        world.reply(["Cache-Control": "max-age=60"])
        return world
    }

    @Test(arguments: [
        ("Authorization: Bearer a", "Authorization: Bearer b"),
        ("Authorization: Bearer a", ""),
        ("", "Authorization: Bearer a"),
        ("Authorization: Bearer a", "X-Api-Key: Bearer a"),
        ("X-Api-Key: a", "X-Api-Key: b"),
        ("X-Auth-Token: a", "X-Auth-Token: b"),
        ("Cookie: id=1", "Cookie: id=2"),
        ("Cookie: id=1", ""),
        ("X-Special: a", "X-Special: b"),
        ("Authorization: a | Cookie: b", "Authorization: b | Cookie: a"),
        ("Authorization: a | Cookie: b", "Authorization: a"),
    ])
    func aResponseForOneCredentialIsGivenToNoOther(first: String, second: String) async {
        let world = world { $0.secretHeaders = ["X-Special"] }
        for headers in [first, second] { #expect(await world.end(.get, "/x", HTTPHeaders(lines: headers)) == .fetched) }
        for headers in [first, second] { #expect(await world.end(.get, "/x", HTTPHeaders(lines: headers)) == .hit) }
    }

    @Test(arguments: [
        "X-Functions-Key", "X-App-Key", "X-Master-Key", "X-Bearer", "X-OTP", "Authentication", "X-Plain", "Host",
    ])
    func aResponseForOneValueOfAnUnknownFieldIsGivenToNoOther(name: String) async {
        let world = world()
        for value in ["a", "b", nil] { #expect(await world.end(.get, "/x", fields(name, value)) == .fetched) }
        for value in ["a", "b", nil] { #expect(await world.end(.get, "/x", fields(name, value)) == .hit) }
    }

    @Test
    func whatAMiddlewareAddsKeepsResponsesApart() async {
        let proof = Locked("a")
        let world = world { $0.middleware = [Proving(proof: proof)] }
        #expect(await world.end() == .fetched)
        proof.withLock { $0 = "b" }
        #expect(await world.end() == .fetched)
        proof.withLock { $0 = "a" }
        #expect(await world.end() == .hit)
    }

    @Test(arguments: ["Accept", "Accept-Language", "User-Agent", "X-Trace", "x-trace"])
    func harmlessFieldsAndThoseThatTheCallerNamesShareResponses(name: String) async {
        let world = world { $0.sharedHeaders = ["X-Trace", "Authorization"] }
        #expect(await world.end(.get, "/x", fields(name, "a")) == .fetched)
        #expect(await world.end(.get, "/x", fields(name, "b")) == .hit)
        #expect(await world.end(.get, "/x", ["Authorization": "a"]) == .fetched)
        #expect(await world.end(.get, "/x", ["Authorization": "b"]) == .fetched)
    }

    private func fields(_ name: String, _ value: String?) -> HTTPHeaders {
        var headers: HTTPHeaders = [:]
        headers[name] = value
        return headers
    }

    @Test
    func aFieldThatTheRequestCallsSecretIsACredential() async {
        let world = world()
        for value in ["a", "b", "a"] {
            let request = SimpleNetworking.get("/x").header("X-Mine", value, isSecret: true)
            await request.execute(on: world.client).ended()
        }
        #expect(world.server.requests.map { $0.headers["X-Mine"] } == ["a", "b"])
    }

    @Test
    func twoClientsWithOneCacheKeepTheirAccountsApart() async {
        let world = world()
        let clients = ["a", "b"].map { token in
            SimpleNetworking(over: world.server) {
                $0.cache = world.cache
                $0.authenticator = BearerAuthenticator(token: Secret(token))
            }
        }
        for client in clients + clients + [world.client] { await client.get("/x").ended() }
        #expect(world.server.requests.map { $0.headers["Authorization"] } == ["Bearer a", "Bearer b", nil])
    }

    @Test
    func aRefreshedTokenOfTheSameAccountFindsWhatIsStored() async {
        let world = CachedWorld {
            $0.authenticator = BearerAuthenticator(token: Secret("old")) { _ in Secret("new") }
        }
        world.server.on("/private") { request -> StubResponse in
            request.headers["Authorization"] == "Bearer new" ? .text("in") : .status(401)
        }
        world.reply(["Cache-Control": "max-age=60", "Vary": "Authorization"])
        #expect(await world.end() == .fetched)
        #expect(await world.end(.get, "/private") == .fetched)
        #expect(world.server.requests.last?.headers["Authorization"] == "Bearer new")
        #expect(await world.end() == .hit)
    }

    @Test
    func aTokenThatIsSetFromOutsideIsAnotherAccount() async {
        let bearer = BearerAuthenticator(token: Secret("a"))
        let world = world { $0.authenticator = bearer }
        #expect(await world.end() == .fetched)
        bearer.token = Secret("b")
        #expect(await world.end() == .fetched)
        bearer.token = nil
        #expect(await world.end() == .fetched)
        bearer.token = Secret("a")
        #expect(await world.end() == .hit)
    }

    @Test
    func aNameWithoutItsPasswordGetsNothing() async throws {
        let world = world()
        for password in ["right", "wrong", "right"] {
            let basic = BasicAuthenticator(user: "ann", password: password)
            let client = SimpleNetworking(over: world.server) {
                $0.cache = world.cache
                $0.authenticator = basic
            }
            await client.get("/x").ended()
        }
        #expect(world.server.requests.count == 2)
    }

    @Test(arguments: [("ann", "ann", true), ("ann", "bob", false), ("", "", false)])
    func theNameThatAnAuthenticatorGivesIsTheAccount(first: String, second: String, isSame: Bool) async {
        let world = world()
        for (name, token) in [(first, "t1"), (second, "t2")] {
            let client = SimpleNetworking(over: world.server) {
                $0.cache = world.cache
                $0.authenticator = NamedAuthenticator(name: name, token: token)
            }
            await client.get("/x").ended()
        }
        #expect(world.server.requests.count == (isSame ? 1 : 2))
    }

    @Test
    func whatMiddlewarePutsInPlaceOfTheProofIsReplacedByTheSignature() async {
        let world = world { configuration in
            configuration.authenticator = NamedAuthenticator(name: "ann", token: "t1")
            configuration.middleware = [Replacing()]
        }
        #expect(await world.end() == .fetched)
        #expect(await world.end(.get, "/x", ["X-Instead": "Bearer bob"]) == .hit)
        #expect(await world.end(.get, "/y", ["X-Instead": "Bearer bob"]) == .fetched)
        #expect(world.server.requests.map { $0.headers["Authorization"] } == ["Bearer t1", "Bearer t1"])
    }

    @Test
    func cookiesOfTheJarKeepResponsesApart() async {
        let jar = CookieJar()
        let world = world { $0.cookieJar = jar }
        world.server.on("/login", .status(204, headers: ["Set-Cookie": "id=2; Path=/"]))
        #expect(await world.end() == .fetched)
        jar.store(["Set-Cookie": "id=1; Path=/"], from: world.client.baseURL)
        #expect(await world.end() == .fetched)
        jar.store(["Set-Cookie": "id=2; Path=/"], from: world.client.baseURL)
        #expect(await world.end() == .fetched)
        jar.store(["Set-Cookie": "id=1; Path=/"], from: world.client.baseURL)
        #expect(await world.end() == .hit)
        jar.removeAll()
        #expect(await world.end() == .hit)
    }

    @Test
    func aStoredResponseSetsNoCookieAgain() async {
        let jar = CookieJar()
        let world = CachedWorld { $0.cookieJar = jar }
        world.reply(["Cache-Control": "max-age=60", "Set-Cookie": "id=1; Path=/other"])
        let first = await world.send()
        #expect(first.response?.headers["Set-Cookie"] == "id=1; Path=/other")
        jar.removeAll()
        let second = await world.send()
        #expect(second.end == .hit && second.response?.headers["Set-Cookie"] == nil)
        #expect(jar.cookies(for: world.client.baseURL.appendingPathComponent("other")).isEmpty)
    }

    @Test
    func neitherURLsNorCredentialsAreOnDisk() async throws {
        let folder = ScratchFolder()
        let world = CachedWorld(folder: folder.url) {
            $0.cookieJar = CookieJar()
            $0.authenticator = BearerAuthenticator(token: Secret(Self.secret))
        }
        world.reply(["Cache-Control": "max-age=60", "Set-Cookie": "id=\(Self.secret)", "Vary": "Authorization, X-Key"])
        // No secret, and so in the log, but not on disk either.
        let place = "somewhere"
        for _ in 1...2 { await world.send(.get, "/\(place)?q=\(place)", ["X-Key": Self.secret]) }
        #expect(await world.cache.size().disk > 0)
        let files = try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
        #expect(files.count == 3)
        for file in files {
            let content = try Data(contentsOf: file)
            for text in [Self.secret, place] {
                #expect(!file.lastPathComponent.contains(text))
                #expect(content.range(of: Data(text.utf8)) == nil)
            }
        }
    }
}

private struct NamedAuthenticator: Authenticator {
    let name: String
    let token: String

    func credential() async throws -> String? { token }

    func sign(_ request: inout TransportRequest, with credential: String) {
        request.headers["Authorization"] = "Bearer " + credential
    }

    func identity(of credential: String) -> String { name }
}

/// Replaces the authenticator's credential with another one.
private struct Replacing: Middleware {
    func intercept(
        _ request: TransportRequest,
        next: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        var changed = request
        if let instead = request.headers["X-Instead"] {
            changed.headers["Authorization"] = instead
            changed.headers["X-Instead"] = nil
        }
        return try await next(changed)
    }
}

private struct Proving: Middleware {
    let proof: Locked<String>

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        var sent = request
        sent.headers["X-Gateway-Proof"] = proof.withLock { $0 }
        return try await next(sent)
    }
}
