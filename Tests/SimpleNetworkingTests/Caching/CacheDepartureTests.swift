import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// What the cache does for a request that isn't sent as it was looked up, because something changed while it waited.
@Suite(.timeLimit(.minutes(5)))
struct CacheDepartureTests {
    /// What tells one user from another.
    enum User: CaseIterable {
        case field, cookie, token
    }

    private let held = Gate()
    private let jar = CookieJar()
    private let bearer = BearerAuthenticator(token: Secret("ada"))

    private func world(
        _ user: User = .cookie,
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) -> CachedWorld {
        let world = CachedWorld {
            $0.traffic.inFlight = 1
            switch user {
            case .field: $0.defaultHeaders["Authorization"] = "Bearer ada"
            case .cookie: $0.cookieJar = jar
            case .token: $0.authenticator = bearer
            }
            configure(&$0)
        }
        world.server.on("/held", .json("{}").after(held))
        if user == .cookie { setCookie("ada", in: world) }
        return world
    }

    private func setCookie(_ user: String, in world: CachedWorld) {
        jar.store(["Set-Cookie": "sid=\(user); Path=/"], from: world.client.baseURL)
    }

    private func change(_ user: User, in world: CachedWorld) {
        switch user {
        case .field: world.client.headers["Authorization"] = "Bearer bob"
        case .cookie: setCookie("bob", in: world)
        case .token: bearer.token = Secret("bob")
        }
    }

    /// Sends a request that waits for its turn, and changes something meanwhile.
    private func text(
        of request: SimpleRequest = SimpleNetworking.get("/me"),
        in world: CachedWorld,
        changing change: () async -> Void
    ) async throws -> String? {
        let holding = world.client.get("/held")
        await held.arrivals(1)
        request.execute(on: world.client)
        try await eventually { request.trace.description.contains("waits for its turn") }
        await change()
        held.open()
        await holding.ended()
        return await request.ended().value?.text
    }

    private static func user(of request: TransportRequest) -> String {
        let proof = (request.headers["Authorization"] ?? "") + (request.headers["Cookie"] ?? "")
        return proof.contains("bob") ? "bob" : proof.contains("ada") ? "ada" : "nobody"
    }

    // MARK: stale-if-error

    private static let staleIfError: HTTPHeaders = ["Cache-Control": "max-age=0, stale-if-error=600", "ETag": "\"1\""]

    @Test(arguments: User.allCases, [StubResponse.status(503), .failure(.connectionLost)])
    func aStaleResponseStandsInForNoOtherUser(user: User, failure: StubResponse) async throws {
        let world = world(user)
        world.server.on("/me") { request -> StubResponse in
            let user = Self.user(of: request)
            return user == "bob" ? failure : .text(user, headers: Self.staleIfError)
        }
        await world.client.get("/me").ended()
        #expect(try await text(in: world) { change(user, in: world) } == nil)
        // With another token, the request isn't sent.
        #expect(world.server.requests(to: "/me").map(Self.user) == (user == .token ? ["ada"] : ["ada", "bob"]))
    }

    @Test(arguments: [StubResponse.status(503), .failure(.connectionLost)])
    func anotherUsersOwnStaleResponseStandsIn(failure: StubResponse) async throws {
        let world = world(.cookie)
        let fails = Locked(false)
        world.server.on("/me") { request -> StubResponse in
            fails.withLock { $0 } ? failure : .text(Self.user(of: request), headers: Self.staleIfError)
        }
        for user in ["bob", "ada"] {
            setCookie(user, in: world)
            await world.client.get("/me").ended()
        }
        _ = fails.exchange(true)
        #expect(try await text(in: world) { change(.cookie, in: world) } == "bob")
    }

    @Test(arguments: [true, false])
    func aStaleResponseStandsInForARequestWhoseTokenCouldNotBeRefreshed(isOffline: Bool) async {
        let hasExpired = Locked(false)
        let world = CachedWorld {
            $0.authenticator = BearerAuthenticator(
                token: Secret("ada"),
                refresh: { _ in throw isOffline ? NetworkFailure(.offline) : RefreshFailure.notRefreshable },
                isExpired: { _ in hasExpired.withLock { $0 } }
            )
        }
        world.server.on("/me", .text("ada", headers: Self.staleIfError))
        await world.send(.get, "/me")
        _ = hasExpired.exchange(true)
        #expect(await world.send(.get, "/me").response?.text == (isOffline ? "ada" : nil))
        #expect(world.server.requests.count == 1)
    }

    @Test
    func aStaleResponseStandsInForARequestThatACircuitBreakerRefuses() async {
        let world = CachedWorld {
            $0.middleware = [CircuitBreaker(minimumCalls: 2)]
            $0.clock = VirtualClock()
        }
        world.server.on("/me", .replies(.text("old", headers: Self.staleIfError), .status(503)))
        for _ in 1...5 { #expect(await world.send(.get, "/me").response?.text == "old") }
        #expect(world.server.requests.count < 5)
    }

    /// The request's token can't be refreshed, and a field of the client changes meanwhile.
    @Test(arguments: [true, false])
    func aStaleResponseStandsInForARequestThatWasNotSentIfTheUserIsTheSame(isSame: Bool) async {
        let client = Locked<SimpleNetworking?>(nil)
        let hasExpired = Locked(false)
        let world = CachedWorld {
            $0.defaultHeaders["X-User"] = "ada"
            $0.authenticator = BearerAuthenticator(
                token: Secret("t"),
                refresh: { _ in
                    if !isSame { client.withLock { $0 }?.headers["X-User"] = "bob" }
                    throw NetworkFailure(.offline)
                },
                isExpired: { _ in hasExpired.withLock { $0 } }
            )
        }
        _ = client.exchange(world.client)
        world.server.on("/me", .text("ada", headers: Self.staleIfError))
        await world.send(.get, "/me")
        _ = hasExpired.exchange(true)
        #expect(await world.send(.get, "/me").response?.text == (isSame ? "ada" : nil))
        #expect(world.server.requests.count == 1)
        _ = client.exchange(nil)
    }

    /// How a stored response is removed.
    enum Removal: CaseIterable {
        case form, all, url
    }

    @Test(arguments: Removal.allCases, [StubResponse.status(503), .failure(.connectionLost)])
    func aResponseThatWasRemovedStandsInForNoError(removal: Removal, failure: StubResponse) async throws {
        let world = world()
        world.server.on(.post, "/me", .status(204))
            .on("/me", .replies(.text("old", headers: Self.staleIfError), failure))
        await world.client.get("/me").ended()
        let text = try await text(in: world) {
            switch removal {
            case .form: await SimpleNetworking(over: world.server) { $0.cache = world.cache }.post("/me").ended()
            case .all: await world.cache.removeAll()
            case .url: await world.cache.remove(for: world.client.baseURL.appendingPathComponent("me"))
            }
        }
        #expect(text == nil)
        #expect(world.server.requests(to: "/me").count { $0.method == .get } == 2)
    }

    /// Chooses the URL of each attempt by a header field of the client.
    private final class Tenants: SimpleNetworking, @unchecked Sendable {
        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            guard attempt.url.path == "/data" else { return }
            attempt.url = baseURL.appendingPathComponent("\(headers["X-Tenant"] ?? "")/data")
        }
    }

    @Test
    func aStaleResponseStandsInForNoOtherURL() async throws {
        let server = StubTransport().on("/held", .json("{}").after(held)).on("/b/data", .status(503))
            .on("*") { .text($0.url.path, headers: Self.staleIfError) }
        let client = Tenants(over: server) {
            $0.cache = ResponseCache()
            $0.traffic.inFlight = 1
            $0.defaultHeaders["X-Tenant"] = "a"
            $0.sharedHeaders = ["X-Tenant"]
        }
        await client.get("/data").ended()
        client.get("/held")
        await held.arrivals(1)
        let request = client.get("/data")
        try await eventually { request.trace.description.contains("waits for its turn") }
        client.headers["X-Tenant"] = "b"
        held.open()
        #expect(await request.ended().error?.response?.httpStatus == 503)
        #expect(server.log.last == "GET /b/data")
    }

    // MARK: Validation

    @Test(arguments: [User.field, .cookie])
    func a304ForAnotherUserValidatesNothing(user: User) async throws {
        let world = world(user)
        world.server.on("/me") { request -> StubResponse in
            if request.headers.contains("If-None-Match") { return .status(304, headers: ["ETag": "\"1\""]) }
            return .text(Self.user(of: request), headers: ["Cache-Control": "no-cache", "ETag": "\"1\""])
        }
        await world.client.get("/me").ended()
        #expect(try await text(in: world) { change(user, in: world) } == "bob")
        #expect(await world.send(.get, "/me").response?.text == "bob")
    }

    @Test
    func a304InTheBackgroundForOtherCookiesValidatesNothing() async throws {
        let world = world()
        let date = HTTPDateFormat().text(CachedWorld.start.addingTimeInterval(-3600))
        world.server.on("/me") { request -> StubResponse in
            if request.headers.contains("If-Modified-Since") {
                return .status(304, headers: ["Cache-Control": "max-age=600"])
            }
            let fields: HTTPHeaders = [
                "Cache-Control": "max-age=1, stale-while-revalidate=600", "Age": "5", "Last-Modified": date,
                "Vary": "Cookie",
            ]
            return .text(Self.user(of: request), headers: fields)
        }
        await world.client.get("/me").ended()
        let holding = world.client.get("/held")
        await held.arrivals(1)
        let request = world.client.get("/me")
        #expect(await request.ended().value?.text == "ada")
        try await eventually { request.trace.description.contains("waits for its turn") }
        setCookie("bob", in: world)
        held.open()
        await holding.ended()
        await world.cache.revalidated()
        #expect(world.server.requests(to: "/me").dropFirst().allSatisfy { Self.user(of: $0) == "bob" })
        #expect(await world.send(.get, "/me").response?.text == "bob")
    }

    @Test
    func a304ForAResponseThatWasRemovedValidatesNothing() async throws {
        let world = world()
        world.server.on("/me") { request -> StubResponse in
            if request.headers.contains("If-None-Match") { return .status(304, headers: ["ETag": "\"1\""]) }
            return .text("whole", headers: ["Cache-Control": "no-cache", "ETag": "\"1\""])
        }
        await world.client.get("/me").ended()
        #expect(try await text(in: world) { await world.cache.removeAll() } == "whole")
        let conditions = world.server.requests(to: "/me").map { $0.headers.contains("If-None-Match") }
        #expect(conditions == [false, true, false])
    }

    // MARK: Storing

    @Test(arguments: ["br", ""])
    func aResponseIsStoredForTheFieldsThatWereSent(former: String) async throws {
        let world = world(.cookie) { if !former.isEmpty { $0.defaultHeaders["Accept-Encoding"] = former } }
        let fields: HTTPHeaders = ["Cache-Control": "max-age=60", "Vary": "Accept-Encoding"]
        world.server.on("/me") { .text($0.headers["Accept-Encoding"] ?? "", headers: fields) }
        let first = try await text(in: world) { world.client.headers["Accept-Encoding"] = "identity" }
        #expect(first == "identity")
        #expect(await world.end(.get, "/me") == .hit)
        world.client.headers["Accept-Encoding"] = former.isEmpty ? nil : former
        #expect(await world.send(.get, "/me").response?.text == former)
    }

    @Test(arguments: [true, false])
    func theTimeThatARequestWaitsIsNotPartOfItsResponsesAge(coalesces: Bool) async throws {
        let world = world(.cookie) { $0.traffic.coalesces = coalesces }
        world.server.on("/me", .text("x", headers: ["Cache-Control": "max-age=60"]))
        _ = try await text(in: world) { world.pass(100) }
        world.pass(59)
        #expect(await world.end(.get, "/me") == .hit)
        world.pass(1)
        #expect(await world.end(.get, "/me") == .fetched)
    }

    @Test
    func whatTakesTheServerTimeIsPartOfItsResponsesAge() async throws {
        let world = CachedWorld()
        let gate = Gate()
        world.server.on("/me", .text("x", headers: ["Cache-Control": "max-age=60"]).after(gate))
        let request = world.client.get("/me")
        await gate.arrivals(1)
        world.pass(59)
        gate.open()
        await request.ended()
        #expect(await world.end(.get, "/me") == .hit)
        world.pass(1)
        #expect(await world.end(.get, "/me") == .fetched)
    }

    /// RFC 9110 §6.6.1.
    @Test
    func aResponseIsAsOldAsThe304WithoutADateThatValidatedIt() async {
        let world = CachedWorld()
        let fields: HTTPHeaders = [
            "Date": HTTPDateFormat().text(CachedWorld.start.addingTimeInterval(-3600)), "Cache-Control": "max-age=600",
            "ETag": "\"1\"",
        ]
        world.reply(fields, validating: ["ETag": "\"1\"", "Cache-Control": "max-age=600"])
        #expect(await world.end() == .fetched)
        #expect(await world.end() == .revalidated)
        world.pass(599)
        #expect(await world.end() == .hit)
        world.pass(1)
        #expect(await world.end() == .revalidated)
    }
}
