import Foundation
import SimpleNetworkingDigest
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTraffic

/// Requests that have joined a transfer which isn't theirs after all.
@Suite(.timeLimit(.minutes(5)))
struct WithdrawnRequestTests {
    private let held = Gate()
    private let server = StubTransport()

    private func set(_ configuration: inout SimpleNetworking.Configuration) {
        configuration.traffic.inFlight = 1
        configuration.traffic.coalesces = true
    }

    /// Occupies the client's only slot, until `held` is opened.
    private func hold(_ client: SimpleNetworking, at url: String = "/held") async -> SimpleRequest {
        server.on(.post, url, .json("{}").after(held))
        let request = client.post(url) { $0.unauthenticated() }
        await held.arrivals(1)
        return request
    }

    private func waits(_ request: SimpleRequest) async throws {
        try await eventually { request.trace.description.contains("waits for its turn") }
    }

    private func joins(_ requests: SimpleRequest...) async throws {
        try await eventually { requests.allSatisfy { $0.trace.description.contains("joins GET") } }
    }

    /// Waits until the server has received a request, and until so many requests wait for it and others.
    ///
    /// What has withdrawn joins again by then, or starts its own transfer.
    private func settle(_ count: Int, _ client: SimpleNetworking, at gate: Gate) async throws {
        await gate.arrivals(1)
        let transfers = client.services.service(SharedTransfers.self) { SharedTransfers() }
        try await eventually { transfers.waitingCount == count }
    }

    // MARK: Another user

    enum User: CaseIterable { case signIn, cookies }

    @Test(arguments: User.allCases)
    func aRequestOfTheNextUserDoesNotEndWithTheSignOutOfTheFormerUser(way: User) async throws {
        let jar = CookieJar()
        let client = SimpleNetworking(over: server) {
            set(&$0)
            switch way {
            case .signIn: $0.authenticator = BearerAuthenticator(token: Secret("ada"))
            case .cookies: $0.cookieJar = jar
            }
        }
        let first = await hold(client, at: "https://other.example.com/held")
        let build = { (request: SimpleRequest) in way == .signIn ? request.unauthenticated() : request }
        let former = client.get("/config", build)
        try await waits(former)
        if way == .signIn { client.signOut() } else { jar.removeAll() }
        server.on("*", .json("{}"))
        let next = client.get("/config", build)
        try await eventually { !next.trace.events.isEmpty }
        held.open()
        guard case .authentication? = await former.ended().error else { throw Surprise("\(former.trace)") }
        #expect(await next.ended().value != nil, "\(next.trace)")
        await first.ended()
    }

    @Test
    func aRequestOfTheNextUserStoresTheCookiesOfItsResponse() async throws {
        let jar = CookieJar()
        let count = Locked(0)
        let gate = Gate()
        server.on("/session") { _ in
            let number = count.next()
            if number == 1 { try await gate.wait() }
            return .json("{}", headers: ["Set-Cookie": "s=\(number); Path=/"])
        }
        let client = SimpleNetworking(over: server) {
            $0.cookieJar = jar
            $0.traffic.coalesces = true
        }
        let former = client.get("/session")
        await gate.arrivals(1)
        jar.removeAll()
        #expect(await client.get("/session").ended().value != nil)
        gate.open()
        await former.ended()
        #expect(jar.cookies(for: client.baseURL).map(\.pair) == ["s=2"])
    }

    @Test
    func aRequestOfTheNextUserDoesNotJoinTheRedirectOfTheFormerUser() async throws {
        let jar = CookieJar()
        let login = try #require(URL(string: "https://other.example.com/login"))
        let other = Gate()
        server.on("/a", .redirect(to: login.absoluteString).after(held))
            .on(.post, "https://other.example.com/held", .json("{}").after(other))
            .on("https://other.example.com/login", .text("login", headers: ["Set-Cookie": "csrf=1; Path=/"]))
        let client = SimpleNetworking(over: server) {
            $0.traffic.inFlightPerOrigin = 1
            $0.traffic.coalesces = true
            $0.cookieJar = jar
        }
        let first = client.post("https://other.example.com/held")
        await other.arrivals(1)
        let former = client.get("/a")
        await held.arrivals(1)
        held.open()
        try await waits(former)
        jar.removeAll()
        let next = client.get(login.absoluteString)
        try await eventually { next.trace.description.contains("waits for its turn") }
        other.open()
        #expect(await former.ended().value != nil)
        #expect(await next.ended().value != nil)
        #expect(jar.cookies(for: login).map(\.name) == ["csrf"])
        await first.ended()
    }

    // MARK: Another request

    /// The two others, of which one has no field of its own, share one transfer still.
    @Test(arguments: [false, true])
    func aRequestWithAFieldOfItsOwnDoesNotGetAResponseForAnother(isStarterCancelled: Bool) async throws {
        let gate = Gate()
        server.on("/x") { request in
            try await gate.wait()
            return .text(request.headers["Accept-Language"] ?? "none")
        }
        let client = SimpleNetworking(over: server) {
            set(&$0)
            $0.defaultHeaders["Accept-Language"] = "de"
        }
        let first = await hold(client)
        let starter = client.get("/x")
        try await waits(starter)
        let own = client.get("/x") { $0.header("Accept-Language", "de") }
        let others = (0..<3).map { _ in client.get("/x") }
        for request in [own] + others { try await joins(request) }
        client.headers["Accept-Language"] = "fr"
        if isStarterCancelled { starter.cancel() }
        held.open()
        try await settle(isStarterCancelled ? 4 : 5, client, at: gate)
        gate.open()
        #expect(await own.ended().value?.text == "de")
        for other in others { #expect(await other.ended().value?.text == "fr") }
        if !isStarterCancelled { #expect(await starter.ended().value?.text == "fr") }
        #expect(server.requests(to: "/x").count == 2)
        await first.ended()
    }

    @Test
    func aRequestThatComesLaterJoinsATransferAsItWasSent() async throws {
        let gate = Gate()
        server.on("/x", .text("x").after(gate))
        let client = SimpleNetworking(over: server) { set(&$0) }
        let first = await hold(client)
        let starter = client.get("/x")
        try await waits(starter)
        client.headers["X-Version"] = "2"
        held.open()
        await gate.arrivals(1)
        let later = client.get("/x")
        try await joins(later)
        gate.open()
        for request in [starter, later, first] { #expect(await request.ended().value != nil) }
        #expect(server.requests(to: "/x").count == 1)
    }

    @Test(arguments: ["idle", "connect"])
    func aRequestDoesNotShareTheTimeoutOfTheEngine(limit: String) async throws {
        let gate = Gate()
        server.on("*", .text("x").after(gate))
        let client = SimpleNetworking(over: server) { $0.traffic.coalesces = true }
        let hurried = Task {
            try await client.send(Request<Data>.get("/x")) {
                if limit == "idle" { $0.idleTimeout = 0.2 } else { $0.connectTimeout = 0.2 }
            }
        }
        await gate.arrivals(1)
        let other = client.get("/x")
        await gate.arrivals(2)
        gate.open()
        _ = try await hurried.value
        #expect(await other.ended().value != nil)
    }

    /// Signs requests with a field that depends on another one.
    private final class Digesting: SimpleNetworking, @unchecked Sendable {
        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            attempt.headers["X-Digest"] = "of " + (headers["X-Tenant"] ?? "none")
        }
    }

    @Test
    func theRedirectOfARequestThatWithdrewIsThatOfWhatWasSent() async throws {
        let gate = Gate()
        server.on("/from", .redirect(to: "/to").after(gate)).on("/to", .json("{}"))
        let client = Digesting(over: server) { set(&$0) }
        let first = await hold(client)
        let starter = client.get("/from")
        try await waits(starter)
        let joined = client.get("/from")
        try await joins(joined)
        client.headers["X-Tenant"] = "2"
        held.open()
        try await settle(2, client, at: gate)
        gate.open()
        for request in [starter, joined, first] { #expect(await request.ended().value != nil, "\(request.trace)") }
        let sent = server.requests.filter { $0.method == .get }
        #expect(sent.allSatisfy { $0.headers["X-Digest"] == "of 2" && $0.headers["X-Tenant"] == "2" })
        #expect(server.requests(to: "/from").count == 1)
    }

    // MARK: Not sent

    /// Throws for requests with a tag as soon as the client has another tenant.
    private final class Moody: SimpleNetworking, @unchecked Sendable {
        struct Refused: Error {}

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            if request.tags["moody"] != nil, headers["X-Tenant"] != nil { throw Refused() }
        }
    }

    @Test(arguments: [1, 3])
    func theHookOfTheFirstRequestDoesNotEndTheOthers(moody: Int) async throws {
        let gate = Gate()
        server.on("/x", .text("x").after(gate))
        let client = Moody(over: server) { set(&$0) }
        let first = await hold(client)
        let refused = (0..<moody).map { _ in client.get("/x") { $0.tag("moody", "1") } }
        try await eventually { refused.contains { $0.trace.description.contains("waits for its turn") } }
        try await eventually { refused.count { $0.trace.description.contains("joins") } == moody - 1 }
        let others = (0..<3).map { _ in client.get("/x") }
        for request in others { try await joins(request) }
        client.headers["X-Tenant"] = "2"
        held.open()
        for request in refused {
            guard case .failed(let error, _, _)? = await request.ended().error else {
                throw Surprise("\(request.trace)")
            }
            #expect(error is Moody.Refused)
        }
        try await settle(others.count, client, at: gate)
        gate.open()
        for request in others { #expect(await request.ended().value?.text == "x") }
        #expect(server.requests(to: "/x").count == 1)
        await first.ended()
    }

    @Test
    func aRefreshThatFailsIsMadeOnceForAllThatShare() async throws {
        struct Failure: Error {}
        let gate = Gate()
        let refreshes = Locked(0)
        let bearer = BearerAuthenticator(token: Secret("old")) { _ in
            _ = refreshes.next()
            try await gate.wait()
            throw Failure()
        } isExpired: { _ in
            true
        }
        let client = SimpleNetworking(over: server) {
            $0.authenticator = bearer
            $0.traffic.coalesces = true
        }
        let requests = (0..<50).map { _ in client.get("/x") }
        await gate.arrivals(1)
        try await eventually { requests.count { $0.trace.description.contains("joins") } == 49 }
        gate.open()
        for request in requests {
            guard case .authentication? = await request.ended().error else { throw Surprise("\(request.trace)") }
        }
        #expect(refreshes.withLock { $0 } == 1)
        #expect(server.requests.isEmpty)
    }

    /// Its signature differs each time.
    @Test
    func requestsWithDigestAuthenticationStaySharedWhenTheyAreSent() async throws {
        let challenge: HTTPHeaders = [
            "WWW-Authenticate": #"Digest realm="r", qop="auth", algorithm=SHA-256, nonce="n""#
        ]
        let gate = Gate()
        server.on("/first", .status(401, headers: challenge), times: 1)
            .on(.post, "/held", .json("{}").after(gate)).on("*", .json("{}"))
        let client = SimpleNetworking(over: server) {
            set(&$0)
            $0.authenticator = DigestAuthenticator(user: "ada", password: "p")
        }
        #expect(await client.get("/first").ended().value != nil)
        let first = client.post("/held")
        await gate.arrivals(1)
        let requests = (0..<4).map { _ in client.get("/x") }
        try await eventually { requests.count { $0.trace.description.contains("joins") } == 3 }
        gate.open()
        for request in requests + [first] { #expect(await request.ended().value != nil) }
        #expect(server.requests(to: "/x").count == 1)
    }

    /// What the cache and a download keep of a response belongs to the request that was sent.
    @Test(arguments: [304, 503])
    func aRequestThatJoinsItsTransferAgainKnowsWhatWasSent(status: Int) async throws {
        let fields: HTTPHeaders = ["Cache-Control": "max-age=0, stale-if-error=600", "ETag": "\"v1\""]
        server.on("/news", .text("stored", headers: fields), times: 1)
        let gate = Gate()
        server.on("/news", .status(status, headers: status == 304 ? fields : [:]).after(gate), times: .atMost(1))
        let client = SimpleNetworking(over: server) {
            set(&$0)
            $0.cache = ResponseCache()
        }
        #expect(await client.get("/news").ended().value != nil)
        let first = await hold(client)
        let starter = client.get("/news")
        try await waits(starter)
        let other = client.get("/news")
        try await joins(other)
        client.headers["Accept-Language"] = "de"
        held.open()
        try await settle(2, client, at: gate)
        gate.open()
        for request in [starter, other] { #expect(await request.ended().value?.text == "stored", "\(request.trace)") }
        #expect(server.requests(to: "/news").count == 2)
        await first.ended()
    }
}
