import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite(.timeLimit(.minutes(5)))
struct AuthenticatorTests {
    /// Signs with a field of its own, and knows when a key has expired.
    private final class KeyAuthenticator: Authenticator {
        struct Key: Sendable, Equatable {
            var text: String
            var isOld = false
        }

        let key: Locked<Key?>
        let refreshes = Locked(0)
        let gate: Gate?

        init(_ key: Key?, gate: Gate? = nil) {
            self.key = Locked(key)
            self.gate = gate
        }

        func credential() async throws -> Key? { key.withLock { $0 } }
        func sign(_ request: inout TransportRequest, with credential: Key) {
            request.headers["X-Key"] = credential.text
        }
        func isExpired(_ credential: Key) -> Bool { credential.isOld }

        func refresh(_ credential: Key) async throws -> Key {
            refreshes.withLock { $0 += 1 }
            try await gate?.wait()
            let new = Key(text: credential.text + "'")
            key.withLock { $0 = new }
            return new
        }
    }

    private func client(
        _ server: StubTransport,
        _ authenticator: any Authenticator,
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) -> SimpleNetworking {
        SimpleNetworking(over: server) {
            $0.authenticator = authenticator
            // Among all tests at once, a task may wait longer than a user would.
            $0.refreshTimeout = 600
            configure(&$0)
        }
    }

    /// It was never sent there.
    @Test
    func theRefusalOfAnotherOriginRefreshesNothing() async throws {
        let server = StubTransport()
            .on("/x", .redirect(to: "https://other.test/y"))
            .on("/y", .status(401))
        let authenticator = KeyAuthenticator(.init(text: "k"))
        let error = await client(server, authenticator).get("/x").ended().error
        #expect(error?.response?.httpStatus == 401)
        #expect(authenticator.refreshes.withLock { $0 } == 0)
        #expect(server.requests.map { $0.headers["X-Key"] } == ["k", nil])
    }

    @Test
    func aCredentialThatHasExpiredIsRefreshedBeforeItIsShown() async throws {
        let server = StubTransport().on("/x", .json("{}"))
        let authenticator = KeyAuthenticator(.init(text: "k", isOld: true))
        let client = client(server, authenticator)
        let requests = (0..<20).map { _ in client.get("/x") }
        for request in requests { #expect(await request.ended().value != nil) }
        #expect(Set(server.requests.map { $0.headers["X-Key"] }) == ["k'"])
        #expect(server.requests.count == 20)
        #expect(authenticator.refreshes.withLock { $0 } == 1)
    }

    /// They waited for the former user's refresh, and failed with it.
    @Test(arguments: [Secret("other"), nil])
    func signInOrSignOutDuringARefreshDoesNotWaitForIt(token: Secret?) async throws {
        let gate = Gate()
        let server = StubTransport().on("/open", .json("{}")).on("/refused", .status(401))
        let bearer = BearerAuthenticator(token: Secret("old")) { _ in
            try await gate.wait()
            return Secret("new")
        }
        let client = client(server, bearer)
        let refused = client.get("/refused")
        try await withinSeconds(120) { await gate.arrivals(1) }
        bearer.token = token
        #expect(await client.get("/open").ended().value != nil)
        #expect(server.requests.last?.headers["Authorization"] == token.map { "Bearer " + $0.reveal() })
        guard case .authentication(let failure)? = await refused.ended().error else { throw Surprise("another end") }
        #expect(failure.underlying as? RefreshFailure == .signedOut)
        gate.open()
        #expect(bearer.token == token)
    }

    /// A subclass that refreshes by itself.
    private final class OwnAPI: SimpleNetworking, @unchecked Sendable {
        init(_ server: StubTransport) {
            super.init(host: "api.example.com") { $0.transport = server }
            let bearer = BearerAuthenticator(token: Secret("old")) { [weak self] refused in
                guard let self else { throw CancellationError() }
                return Secret(try await self.send(Request<String>.post("/token", body: refused.reveal())).value)
            }
            authenticate(with: bearer)
        }
    }

    @Test
    func aSubclassMayRefreshThroughItselfAndIsNotKeptByThat() async throws {
        struct Weak: Sendable { weak var api: OwnAPI? }
        let kept = Locked(Weak())
        do {
            let server = StubTransport().on("/token", .text("new"))
                .on("/x") { $0.headers["Authorization"] == "Bearer new" ? .json("{}") : .status(401) }
            let api = OwnAPI(server)
            kept.withLock { $0.api = api }
            #expect(try await api.send(SimpleNetworking.get("/x")).httpStatus == 200)
            #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer old", nil, "Bearer new"])
        }
        try await eventually { kept.withLock { $0.api == nil } }
    }

    @Test(arguments: [true, false])
    func newRequestsWaitForARefreshUnlessToldOtherwise(waits: Bool) async throws {
        let gate = Gate()
        let server = StubTransport().on("/x") { $0.headers["X-Key"] == "k'" ? .json("{}") : .status(401) }
        let client = client(server, KeyAuthenticator(.init(text: "k"), gate: gate)) { $0.waitsForRefresh = waits }
        let first = client.get("/x")
        try await withinSeconds(120) { await gate.arrivals(1) }
        let second = client.get("/x")
        if !waits { try await eventually { server.requests.count == 2 } }
        gate.open()
        #expect(await first.ended().value != nil)
        #expect(await second.ended().value != nil)
        #expect(server.requests.count == (waits ? 3 : 4))
        #expect(server.requests.map { $0.headers["X-Key"] }.filter { $0 == "k" }.count == (waits ? 1 : 2))
    }

    @Test
    func attemptsAreUnsignedWithoutACredential() async throws {
        let server = StubTransport().on("/x", .status(401))
        let authenticator = KeyAuthenticator(nil)
        #expect(await client(server, authenticator).get("/x").ended().error?.httpStatus == 401)
        #expect(server.requests.map { $0.headers["X-Key"] } == [nil])
        #expect(authenticator.refreshes.withLock { $0 } == 0)
    }

    @Test
    func fieldsOfAnAuthenticatorAreNotSentToAnotherOrigin() async throws {
        let server = StubTransport()
            .on("/away", .redirect(to: "https://elsewhere.example/x"))
            .on("/x", .json("{}"))
        let client = client(server, KeyAuthenticator(.init(text: "k")))
        #expect(await client.get("/away").ended().value != nil)
        #expect(await client.get("https://elsewhere.example/x").ended().value != nil)
        let carried = server.requests.map { ($0.url.host ?? "") + " " + ($0.headers["X-Key"] ?? "–") }
        #expect(carried == ["api.example.com k", "elsewhere.example –", "elsewhere.example –"])
    }

    @Test
    func whatAnAuthenticatorAddsIsShownInNoText() async throws {
        let server = StubTransport().on("/x", .status(500))
        let request = client(server, KeyAuthenticator(.init(text: "hush-hush"))).get("/x")
        let error = try #require(await request.ended().error)
        #expect(error.request?.headers["X-Key"] == "hush-hush")
        var texts = [request.trace.description, "\(error)", error.localizedDescription]
        texts.append(error.request.map { "\($0)\($0.headers)" } ?? "")
        #expect(!texts.joined().contains("hush"))
    }

    @Test
    func aHookSeesAttemptsBeforeTheyAreSigned() async throws {
        final class Seeing: SimpleNetworking, @unchecked Sendable {
            let seen = Recorder<String?>()

            override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
                seen.add(attempt.headers["X-Key"])
            }
        }
        let server = StubTransport().on("/x") { $0.headers["X-Key"] == "k'" ? .json("{}") : .status(401) }
        let client = Seeing(over: server) { $0.authenticator = KeyAuthenticator(.init(text: "k")) }
        let request = client.get("/x")
        #expect(await request.ended().value?.attempt == 2)
        #expect(client.seen.elements == [nil, nil])
        try expectOrder(of: request, [.attempt(1), .refresh, .attempt(2), .completion])
    }

    @Test
    func aBasicRefusalIsFinalAndAnotherUserIsRefusedByName() async throws {
        let server = StubTransport().on("/x", .status(401))
        let basic = BasicAuthenticator(user: "Aladdin", password: "open sesame")
        #expect(await client(server, basic).get("/x").ended().error?.httpStatus == 401)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="])
    }

    @Test(arguments: ["a:b", "a\nb"])
    func aNameThatBasicCannotCarryEndsEveryRequest(user: String) async throws {
        let server = StubTransport().on("/x", .status(200))
        let basic = BasicAuthenticator(user: user, password: "p")
        let error = try #require(await client(server, basic).get("/x").ended().error)
        #expect(
            error.description == "GET https://api.example.com/x could not be authenticated: "
                + "Basic credentials cannot hold a user name with a colon, nor control characters (RFC 7617)"
        )
        #expect(server.requests.isEmpty)
    }

    @Test
    func refreshFailsWhenItsCompletionIsReleased() async throws {
        let server = StubTransport().on("/x", .status(401))
        let client = SimpleNetworking(over: server)
        let request = client.get("/x") {
            $0.on(
                httpStatus: 401,
                { request, _ in
                    client.reauthenticate(request) { _ in }
                    return false
                }
            )
        }
        guard case .authentication(let failure)? = await request.ended().error else {
            throw "\(request.trace)".asError
        }
        #expect(failure.underlying as? RefreshFailure == .forgotten)
    }

    @Test
    func aRefreshMayBeAnAsyncFunction() async throws {
        let server = StubTransport().on("/x") { $0.headers["Authorization"] == "new" ? .json("{}") : .status(401) }
        let client = SimpleNetworking(over: server)
        let request = client.get("/x") {
            $0.on(
                httpStatus: 401,
                { request, _ in
                    client.reauthenticate(request, refreshing: { client.headers["Authorization"] = "new" })
                    return false
                }
            )
        }
        #expect(await request.ended().value?.attempt == 2)
    }
}
