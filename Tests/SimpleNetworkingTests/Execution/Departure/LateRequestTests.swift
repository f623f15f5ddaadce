import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// Requests that the client itself sends later: a hedge, a revalidation, what follows a look-up.
@Suite(.timeLimit(.minutes(5)))
struct LateRequestTests {
    private let held = Gate()
    private let clock = VirtualClock()
    private let bearer = BearerAuthenticator(token: Secret("ada"))

    private func changeUser(of client: SimpleNetworking) {
        bearer.token = nil
        client.signOut()
        bearer.token = Secret("bob")
    }

    @Test
    func aHedgeIsNotSentForAnotherUser() async throws {
        let server = StubTransport().on("/x", .text("one").after(held))
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.authenticator = bearer
            $0.middleware = [Hedging(after: 1, share: 1)]
        }
        let request = client.get("/x")
        await held.arrivals(1)
        changeUser(of: client)
        try await clock.advance(to: .hedge)
        try await eventually { request.trace.description.contains("sent twice") }
        held.open()
        #expect(await request.ended().value?.text == "one")
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer ada"])
    }

    /// A hedge is a request of its own, which the queue may refuse; the first one goes on.
    @Test
    func aHedgeThatFindsAFullQueueEndsAlone() async throws {
        let server = StubTransport().on("/held", .text("held").after(held)).on("/x", .text("one").after(held))
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.traffic.inFlight = 2
            $0.traffic.maxWaiting = 0
            $0.middleware = [Hedging(after: 1, share: 1)]
        }
        let other = client.post("/held")
        await held.arrivals(1)
        let request = client.get("/x")
        await held.arrivals(2)
        try await clock.advance(to: .hedge)
        try await eventually { request.trace.description.contains("sent twice") }
        held.open()
        #expect(await request.ended().value?.text == "one")
        await other.ended()
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [true, false])
    func aRevalidationThatWaitsIsNotSentForAnotherUser(signsOut: Bool) async throws {
        let fields: HTTPHeaders = ["Cache-Control": "private, max-age=1, stale-while-revalidate=60", "Age": "9"]
        let server = StubTransport().on("/held", .text("held").after(held)).on("/news", .text("old", headers: fields))
        let cache = ResponseCache()
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.authenticator = bearer
            $0.cache = cache
            $0.traffic.inFlight = 1
        }
        #expect(await client.get("/news").ended().value?.text == "old")
        let other = client.post("/held")
        await held.arrivals(1)
        let request = client.get("/news")
        #expect(await request.ended().value?.text == "old")
        try await eventually { request.trace.description.contains("waits for its turn") }
        if signsOut { changeUser(of: client) }
        held.open()
        await other.ended()
        await cache.revalidated()
        let tokens = server.requests(to: "/news").map { $0.headers["Authorization"] }
        #expect(tokens == (signsOut ? ["Bearer ada"] : ["Bearer ada", "Bearer ada"]))
    }

    /// A look-up on a disk takes time.
    @Test
    func aRequestThatIsSuspendedDuringALookUpIsNotSent() async throws {
        let isAsked = Gate()
        let mayLookUp = Gate()
        struct SlowKey: Authenticator {
            let (isAsked, mayLookUp): (Gate, Gate)

            func credential() async throws -> String? {
                isAsked.open()
                try await mayLookUp.wait()
                return "key"
            }
            func sign(_ request: inout TransportRequest, with credential: String) {}
            func refresh(_ credential: String) async throws -> String { credential }
        }
        let server = StubTransport().on("/x", .text("one"))
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.authenticator = SlowKey(isAsked: isAsked, mayLookUp: mayLookUp)
            $0.cache = ResponseCache()
        }
        let request = client.get("/x")
        try await isAsked.wait()
        request.suspend()
        mayLookUp.open()
        for _ in 0..<200 { await Task.yield() }
        #expect(server.requests.isEmpty)
        request.resume()
        #expect(await request.ended().value?.text == "one")
    }

    /// The word of a server counts even if its content doesn't.
    @Test(arguments: ["too large", "cut"])
    func whatAServerSaysInTheHeadOfAFailedResponseCounts(failure: String) async throws {
        let fields: HTTPHeaders = ["RateLimit-Remaining": "0", "RateLimit-Reset": "30"]
        let content: StubResponse =
            failure == "cut"
            ? .pieces("a", .failure(.connectionLost), headers: fields)
            : .text(String(repeating: "a", count: 100), headers: fields)
        let server = StubTransport().on("/x", content).on("/y", .text("two"))
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.traffic.respectsRateLimits = true
            $0.maxResponseSize = 10
        }
        let folder = ScratchFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let file = folder.url.appendingPathComponent("x")
        let first = client.get("/x") { failure == "cut" ? $0.download(to: file) : $0 }
        #expect(await first.ended().error != nil)
        let second = client.get("/y")
        await clock.alarms(1, for: .traffic)
        #expect(server.requests(to: "/y").isEmpty)
        try await clock.advance(to: .traffic)
        #expect(await second.ended().value?.text == "two")
    }

    /// As in browsers and curl; a caller's own session reports nothing before the end.
    @Test(arguments: Engine.allCases.filter { $0 != .callersSession }, ["too large", "cut"])
    func theCookiesOfAResponseThatFailsAfterItsHeadAreStored(engine: Engine, failure: String) async throws {
        let server = try RawServer { _ in
            let length = failure == "cut" ? 50 : 20
            let head = "HTTP/1.1 200 OK\r\nSet-Cookie: sid=1\r\nContent-Length: \(length)\r\n\r\n"
            return .raw(head + String(repeating: "a", count: 20), end: .close)
        }
        let jar = CookieJar()
        let client = try engine.client(server) {
            $0.cookieJar = jar
            $0.maxResponseSize = failure == "cut" ? 100 : 10
        }
        #expect(await client.get("/x").ended().error != nil)
        #expect(jar.cookies(for: client.baseURL).map(\.pair) == ["sid=1"])
    }
}
