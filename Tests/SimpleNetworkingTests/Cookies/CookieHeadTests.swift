import Foundation
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// The jar has the cookies of every head that arrived, whatever becomes of the response.
@Suite(.timeLimit(.minutes(1)))
struct CookieHeadTests {
    private let server = StubTransport()
    private let clock = VirtualClock()
    private let jar = CookieJar()
    private let folder = ScratchFolder()
    private let client: SimpleNetworking

    init() throws {
        client = SimpleNetworking(over: server, clock: clock) { [jar] in $0.cookieJar = jar }
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    }

    private var cookies: [String] { jar.cookies(for: client.baseURL).map(\.pair) }

    /// Begins a download whose content stalls after its head.
    private func stall(_ change: (SimpleRequest) -> Void) async -> SimpleRequest {
        let forever = Gate()
        server.on("/film", .pieces("abc", .gate(forever), headers: ["Set-Cookie": "sid=1; Path=/"]))
            .on("*", .json("{}"))
        let request = SimpleNetworking.get("/film").download(to: folder.url.appendingPathComponent("film"))
        change(request)
        request.execute(on: client)
        await forever.arrivals(1)
        return request
    }

    @Test
    func theyStayThoughTheRequestIsCancelledDuringTheContent() async throws {
        let request = await stall { _ in }
        request.cancel()
        #expect(await request.ended().error?.isCancellation == true)
        #expect(cookies == ["sid=1"])
    }

    @Test
    func theyStayThoughTheDeadlinePassesDuringTheContent() async throws {
        let request = await stall { $0.deadline(5) }
        clock.advance(by: 5)
        guard case .timedOut(.deadline, _)? = await request.ended().error else { throw Surprise("\(request.trace)") }
        #expect(cookies == ["sid=1"])
    }

    @Test
    func theyStayThoughTheRequestIsReplacedDuringTheContentAndTheNewerHasThem() async throws {
        let request = await stall { $0.replacing("key") }
        #expect(await client.get("/newer") { $0.replacing("key") }.ended().value != nil)
        #expect(await request.ended().error?.isCancellation == true)
        #expect(cookies == ["sid=1"])
        #expect(server.requests(to: "/newer").map { $0.headers["Cookie"] } == ["sid=1"])
    }

    @Test(arguments: ["status", "type"])
    func theyStayThoughTheResponseIsNotAcceptable(reason: String) async throws {
        server.on("/x", .text("no", status: reason == "status" ? 404 : 200, headers: ["Set-Cookie": "sid=1; Path=/"]))
        let request = client.get("/x") { $0.acceptable(types: [.json]) }
        #expect(await request.ended().value == nil)
        #expect(cookies == ["sid=1"])
    }

    /// It was never sent, so the jar is as it was, and the next one has the cookies of its moment.
    @Test
    func aRequestThatABreakerRefusesChangesNothing() async throws {
        let breaker = CircuitBreaker(failureShare: 0.5, minimumCalls: 4, window: 30, openTime: 5)
        let client = SimpleNetworking(over: server, through: [breaker], clock: clock) { [jar] in $0.cookieJar = jar }
        server.on("/broken", .status(500, headers: ["Set-Cookie": "sid=1; Path=/"]))
            .on("/x", .json("{}", headers: ["Set-Cookie": "sid=2; Path=/"]))
        for _ in 0..<4 { await client.get("/broken").ended() }
        #expect(cookies == ["sid=1"])
        guard case .failed(let error, _, _)? = await client.get("/x").ended().error else { throw Surprise("sent") }
        #expect(error is CircuitBreaker.Refusal)
        #expect(cookies == ["sid=1"])
        clock.advance(by: 5)
        #expect(await client.get("/x").ended().value != nil)
        #expect(server.requests(to: "/x").map { $0.headers["Cookie"] } == ["sid=1"])
        #expect(cookies == ["sid=2"])
    }

    @Test
    func aRetryHasTheNewCookiesAndTheOldIdempotencyKey() async throws {
        server.on("/x", .status(503, headers: ["Set-Cookie": "sid=1; Path=/"]), times: 1).on("/x", .json("{}"))
        let request = SimpleNetworking.post("/x").idempotent().retry(RetryPolicy(attempts: 2, backoff: .constant(0)))
        #expect(await request.execute(on: client).ended().value != nil)
        #expect(server.requests.map { $0.headers["Cookie"] } == [nil, "sid=1"])
        let keys = server.requests.map { $0.headers["Idempotency-Key"] }
        #expect(keys[0] != nil && keys[0] == keys[1])
    }

    private final class Preparing: SimpleNetworking, @unchecked Sendable {
        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            attempt.headers["Cookie"] = "sid=own; lang=de"
        }
    }

    @Test
    func aCookieThatAHookSetsTakesThePlaceOfTheJarsForThisRequestOnly() async throws {
        let client = Preparing(over: server, clock: clock) { [jar] in $0.cookieJar = jar }
        server.on("/login", .json("{}", headers: ["Set-Cookie": "sid=1; Path=/"]))
            .on("/seen", .json("{}", headers: ["Set-Cookie": "seen=1; Path=/"])).on("/x", .json("{}"))
        for path in ["/login", "/seen", "/x"] { #expect(await client.get(path).ended().value != nil) }
        #expect(
            server.requests.map { $0.headers["Cookie"] } == [
                "sid=own; lang=de", "sid=own; lang=de", "seen=1; sid=own; lang=de",
            ]
        )
        #expect(Set(cookies) == ["sid=1", "seen=1"])
    }
}
