import Foundation
import SimpleNetworkingDigest
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// What a request carries that has waited: the facts of the moment when it is sent.
@Suite(.timeLimit(.minutes(5)))
struct DepartureTests {
    /// What a request waits for.
    enum Wait: CaseIterable {
        case turn, suspension, connectivity, retry, hook, middleware
    }

    /// Takes its time to prepare an attempt.
    private final class Slow: SimpleNetworking, @unchecked Sendable {
        let isReady = Gate()

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            try await isReady.wait()
        }
    }

    private struct Waiting: Middleware {
        let gate: Gate

        func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
            if request.method == .post { try await gate.wait() }
            return try await next(request)
        }
    }

    @Test
    func cookiesAreThoseOfTheMomentWhenTheRequestIsSent() async throws {
        let gate = Gate()
        let server = StubTransport()
            .on("/login", .json("{}", headers: ["Set-Cookie": "sid=0; Path=/"]))
            .on("/a", .json("{}", headers: ["Set-Cookie": "sid=1; Path=/"]).after(gate))
            .on("/b", .json("{}"))
        let client = SimpleNetworking(over: server) {
            $0.cookieJar = CookieJar()
            $0.traffic.inFlight = 1
        }
        await client.get("/login").ended()
        let first = client.get("/a")
        await gate.arrivals(1)
        let second = client.get("/b")
        try await eventually { second.trace.description.contains("waits for its turn") }
        gate.open()
        await first.ended()
        #expect(await second.ended().value != nil)
        #expect(server.requests(to: "/b").map { $0.headers["Cookie"] } == ["sid=1"])
    }

    @Test
    func aWaitingRequestIsNotSentOnceAllCookiesAreRemoved() async throws {
        let gate = Gate()
        let server = StubTransport()
            .on("/login", .json("{}", headers: ["Set-Cookie": "sid=ada; Path=/"]))
            .on("/held", .json("{}").after(gate)).on(.post, "/transfer", .json("{}"))
        let jar = CookieJar()
        let client = SimpleNetworking(over: server) {
            $0.cookieJar = jar
            $0.traffic.inFlight = 1
        }
        await client.get("/login").ended()
        let held = client.get("/held")
        await gate.arrivals(1)
        let waiting = client.post("/transfer")
        try await eventually { waiting.trace.description.contains("waits for its turn") }
        jar.removeAll()
        gate.open()
        await held.ended()
        guard case .authentication? = await waiting.ended().error else { throw Surprise("\(waiting.trace)") }
        #expect(server.requests(to: "/transfer").isEmpty)
    }

    /// The user signs out, and another one signs in, while a request of the first one waits.
    @Test(arguments: Wait.allCases)
    func noRequestIsSentForAnotherUserThanItsOwn(wait: Wait) async throws {
        let (held, isOff) = (Gate(), Locked(wait == .connectivity))
        let clock = VirtualClock()
        let server = StubTransport()
            .on("/held", .json("{}").after(held))
            .on(.post, "/transfer") { _ in
                if isOff.withLock({ $0 }) { throw NetworkFailure(.offline) }
                return .status(wait == .retry ? 503 : 200)
            }
        let bearer = BearerAuthenticator(token: Secret("ada"))
        let middleware = Waiting(gate: Gate())
        func configure(_ configuration: inout SimpleNetworking.Configuration) {
            configuration.authenticator = bearer
            if wait == .turn { configuration.traffic.inFlight = 1 }
            if wait == .retry { configuration.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(5)) }
            configuration.traffic.waitsForConnectivity = wait == .connectivity
        }
        let through = wait == .middleware ? [middleware] : []
        let client =
            wait == .hook
            ? Slow(over: server, clock: clock, configure)
            : SimpleNetworking(over: server, through: through, clock: clock, configure)
        if wait == .turn {
            client.get("/held")
            await held.arrivals(1)
        }
        let transfer = SimpleNetworking.post("/transfer").idempotent()
        if wait == .suspension { transfer.suspend() }
        transfer.execute(on: client)
        switch wait {
        case .turn: try await eventually { transfer.trace.description.contains("waits for its turn") }
        case .hook: await (client as? Slow)?.isReady.arrivals(1)
        case .middleware: await middleware.gate.arrivals(1)
        case .suspension: try await eventually { transfer.execution?.account?.number != nil }
        case .connectivity: await clock.alarms(1, for: .traffic)
        case .retry: await clock.alarms(1, for: .retry)
        }
        let sent = server.requests(to: "/transfer").count
        bearer.token = nil
        client.signOut()
        bearer.token = Secret("bob")
        _ = isOff.exchange(false)
        for gate in [held, middleware.gate, (client as? Slow)?.isReady] { gate?.open() }
        transfer.resume()
        clock.advance(by: 15)
        guard case .authentication(let failure)? = await transfer.ended().error else {
            throw Surprise("\(transfer.trace)")
        }
        #expect(failure.underlying as? RefreshFailure == .signedOut)
        #expect(server.requests(to: "/transfer").count == sent)
    }

    /// The target of a redirect is requested without the credential of a user who has signed out meanwhile.
    @Test(arguments: ["client", "authenticator", "both"])
    func aRedirectGoesOnWithoutTheCredentialsOfAFormerUser(signsOut: String) async throws {
        let isSigned = signsOut != "client"
        let gate = Gate()
        let server = StubTransport()
            .on(.post, "/orders", .redirect(to: "/orders/1", status: 303).after(gate)).on("*", .json("{}"))
        let bearer = BearerAuthenticator(token: Secret("ada"))
        let client = SimpleNetworking(over: server) { if isSigned { $0.authenticator = bearer } }
        if !isSigned { client.headers["Authorization"] = "Bearer ada" }
        let post = client.post("/orders")
        await gate.arrivals(1)
        bearer.token = nil
        if signsOut != "authenticator" { client.signOut() }
        bearer.token = Secret("bob")
        if !isSigned { client.headers["Authorization"] = "Bearer bob" }
        gate.open()
        #expect(await post.ended().value != nil)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer ada", nil])
    }

    /// Each request of an upload is signed for its own method and path (RFC 7616).
    @Test
    func eachRequestOfAResumedUploadHasASignatureOfItsOwn() async throws {
        let draft = ("Upload-Draft-Interop-Version", "6")
        let challenge: HTTPHeaders = [
            "WWW-Authenticate": #"Digest realm="r", qop="auth", algorithm=SHA-256, nonce="n1""#
        ]
        let server = StubTransport()
            .on(.post, "/films", .status(401, headers: challenge), times: 1)
            .on(
                .post,
                "/films",
                .failure(.connectionLost).afterInterim(104, headers: ["Location": "/u/1", draft.0: draft.1]),
                times: 1
            )
            .on(
                .head,
                "/u/1",
                .status(204, headers: ["Upload-Offset": "2", "Upload-Complete": "?0", draft.0: draft.1])
            )
            .on(.patch, "/u/1", .status(201, headers: ["Upload-Complete": "?1"]))
        let client = SimpleNetworking(over: server) {
            $0.authenticator = DigestAuthenticator(user: "ada", password: "open sesame")
        }
        let upload = SimpleNetworking.post("/films").body(data: Data("hello".utf8), contentType: .text).resumesUpload()
        #expect(await upload.execute(on: client).ended().value?.httpStatus == 201)
        let signed = server.requests.compactMap { request in
            request.headers["Authorization"]?.firstMatch(of: /uri="([^"]*)"/).map { "\(request.url.path) \($0.1)" }
        }
        #expect(signed == ["/films /films", "/u/1 /u/1", "/u/1 /u/1"])
    }

    /// A redirect to another path is signed for that path.
    @Test
    func aRedirectHasASignatureOfItsOwn() async throws {
        let challenge: HTTPHeaders = ["WWW-Authenticate": #"Digest realm="r", qop="auth", nonce="n1""#]
        let server = StubTransport()
            .on("/a", .status(401, headers: challenge), times: 1).on("/a", .redirect(to: "/b")).on("/b", .json("{}"))
        let client = SimpleNetworking(over: server) {
            $0.authenticator = DigestAuthenticator(user: "ada", password: "open sesame")
        }
        #expect(await client.get("/a").ended().value != nil)
        #expect(server.requests.last?.headers["Authorization"]?.contains(#"uri="/b""#) == true)
    }

    /// What a trusted origin has sent elsewhere may come back, but not with the credential: the detour chose the URL.
    @Test
    func aRequestThatComesBackFromAnUntrustedOriginIsNotSigned() async throws {
        let server = StubTransport()
            .on("/a", .redirect(to: "https://other.example.org/b"))
            .on("/b", .redirect(to: "https://api.example.com/c")).on("/c", .json("{}"))
        let client = SimpleNetworking(over: server) { $0.authenticator = BearerAuthenticator(token: Secret("ada")) }
        let request = client.get("/a")
        #expect(await request.ended().value != nil)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer ada", nil, nil])
        #expect(request.trace.description.contains("Authorization"))
    }

    @Test(arguments: [CachePolicy.onlyCached, .use])
    func aStoredResponseNeedsNoRefresh(policy: CachePolicy) async throws {
        let isExpired = Locked(false)
        let refreshes = Recorder<String>()
        let server = StubTransport().on("/news", .text("stored", headers: ["Cache-Control": "max-age=600"]))
        let client = SimpleNetworking(over: server) {
            $0.cache = ResponseCache()
            $0.authenticator = BearerAuthenticator(
                token: Secret("ada"),
                refresh: { token in
                    refreshes.add("refresh")
                    throw NetworkFailure(.offline)
                },
                isExpired: { _ in isExpired.withLock { $0 } }
            )
        }
        #expect(await client.get("/news").ended().value?.text == "stored")
        _ = isExpired.exchange(true)
        #expect(await client.get("/news") { $0.cachePolicy(policy) }.ended().value?.text == "stored")
        #expect(refreshes.elements.isEmpty)
    }
}
