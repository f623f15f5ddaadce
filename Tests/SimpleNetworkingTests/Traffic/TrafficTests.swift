import Foundation
import SimpleNetworkingPagination
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// Limits of a client, through all that a request passes.
@Suite(.timeLimit(.minutes(5)))
struct TrafficTests {
    private let server = StubTransport()
    private let clock = VirtualClock()

    private func client(_ change: (inout TrafficRules) -> Void) -> SimpleNetworking {
        SimpleNetworking(over: server, clock: clock) { change(&$0.traffic) }
    }

    @Test
    func noMoreAreInFlightThanTheLimitAllows() async throws {
        let gate = Gate()
        server.on("*", .json("{}").after(gate))
        let client = client { $0.inFlight = 3 }
        let requests = (0..<10).map { client.get("/\($0)") }
        await gate.arrivals(3)
        try await eventually { requests.filter { $0.trace.description.contains("waits for its turn") }.count == 7 }
        #expect(server.requests.count == 3)
        gate.open()
        for request in requests { #expect(await request.ended().value != nil) }
        let traces = requests.map(\.trace.description)
        // They come to the queue from threads of their own, in any order.
        for place in 1...7 {
            #expect(traces.count { $0.contains("waits for its turn, \(place) of \(place)\n") } == 1)
        }
        #expect(traces.count { $0.contains("goes on after 0 ms") } == 7)
    }

    @Test
    func aHighPriorityGoesFirst() async throws {
        let gate = Gate()
        server.on("/first", .json("{}").after(gate)).on("*", .json("{}"))
        let client = client { $0.inFlight = 1 }
        let first = client.get("/first")
        await gate.arrivals(1)
        let order: [(String, RequestPriority)] = [("/low", .low), ("/normal", .normal), ("/high", .high)]
        var requests: [SimpleRequest] = []
        for (path, priority) in order {
            let request = client.get(path) { $0.priority(priority) }
            try await eventually { request.trace.description.contains("waits") }
            requests.append(request)
        }
        gate.open()
        for request in [first] + requests { #expect(await request.ended().value != nil) }
        #expect(server.log == ["GET /first", "GET /high", "GET /normal", "GET /low"])
    }

    /// A queue without a bound takes all memory (okhttp #6537).
    @Test
    func oneMoreThanMayWaitEndsAtOnce() async throws {
        let gate = Gate()
        server.on("*", .json("{}").after(gate))
        let client = client {
            $0.inFlight = 1
            $0.maxWaiting = 2
        }
        let requests = (0..<3).map { client.get("/\($0)") }
        try await eventually { requests.filter { $0.trace.description.contains("waits") }.count == 2 }
        let error = try #require(await client.get("/more").ended().error)
        guard case .queueFull(limit: 2, let head) = error else { throw error }
        #expect(head.url.path == "/more")
        #expect("\(error)" == "GET https://api.example.com/more was not sent: 2 requests are already waiting.")
        gate.open()
        for request in requests { #expect(await request.ended().value != nil) }
        #expect(server.requests.count == 3)
    }

    @Test
    func whatIsCancelledWhileItWaitsIsNeverSent() async throws {
        let gate = Gate()
        server.on("*", .json("{}").after(gate))
        let client = client { $0.inFlight = 1 }
        let requests = (0..<3).map { client.get("/\($0)") }
        try await eventually { requests.filter { $0.trace.description.contains("waits") }.count == 2 }
        let waiting = requests.filter { $0.trace.description.contains("waits") }
        waiting[0].cancel()
        #expect(await waiting[0].ended().error?.isCancellation == true)
        gate.open()
        #expect(await waiting[1].ended().value != nil)
        #expect(server.requests.count == 2)
    }

    @Test
    func waitingCountsAgainstTheDeadlineAndNotAgainstTheTimeout() async throws {
        let gate = Gate()
        server.on("/held", .json("{}").after(gate)).on("*", .json("{}"))
        let client = client { $0.inFlight = 1 }
        let held = client.get("/held") { $0.timeout(1000) }
        await gate.arrivals(1)
        let late = client.get("/late") { $0.deadline(20) }
        let patient = client.get("/patient") { $0.timeout(10) }
        try await eventually { [late, patient].allSatisfy { $0.trace.description.contains("waits") } }
        clock.advance(by: 50)
        guard case .timedOut(.deadline(20), _)? = await late.ended().error else { throw Surprise("no deadline") }
        gate.open()
        #expect(await held.ended().value != nil)
        #expect(await patient.ended().value != nil)
        #expect(server.log == ["GET /held", "GET /patient"])
        #expect(patient.trace.description.contains("goes on after 50000 ms"))
    }

    @Test
    func aRedirectHasItsWholeTimeoutAfterItHasWaited() async throws {
        let gate = Gate()
        server.on("/held", .json("{}").after(gate))
            .on("/from", .status(302, headers: ["Location": "/to"]))
            .on("/to", .json("{}").after(5))
        let client = client { $0.inFlight = 1 }
        let held = client.get("/held") { $0.timeout(1000) }
        await gate.arrivals(1)
        let redirected = client.get("/from") { $0.timeout(10) }
        try await eventually { redirected.trace.description.contains("waits") }
        clock.advance(by: 50)
        gate.open()
        #expect(await held.ended().value != nil)
        try await clock.advance(to: .response)
        #expect(await redirected.ended().value != nil)
    }

    @Test
    func aPlaceIsGivenBackBeforeARetryWaits() async throws {
        server.on("/down", .status(503)).on("*", .json("{}"))
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.traffic.inFlight = 1
            $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(60))
        }
        let down = client.get("/down")
        await clock.alarms(1, for: .retry)
        #expect(await client.get("/up").ended().value != nil)
        try await clock.advance(to: .retry)
        #expect(await down.ended().error?.httpStatus == 503)
    }

    @Test
    func aStoredResponseNeedsNoPlace() async throws {
        let gate = Gate()
        server.on("/stored", .json("{}", headers: ["Cache-Control": "max-age=1000"])).on("*", .json("{}").after(gate))
        let client = SimpleNetworking(over: server) {
            $0.traffic.inFlight = 1
            $0.cache = ResponseCache()
        }
        #expect(await client.get("/stored").ended().value != nil)
        let held = client.get("/held")
        await gate.arrivals(1)
        #expect(await client.get("/stored").ended().value != nil)
        gate.open()
        #expect(await held.ended().value != nil)
    }

    @Test(arguments: RefreshWay.allCases)
    func aRefreshNeverWaitsForAPlace(way: RefreshWay) async throws {
        let server = TokenServer()
        let client = way.client(server) { $0.traffic.inFlight = 2 }
        let requests = (0..<100).map { client.get("/x\($0)") }
        for request in requests {
            let ended = await request.ended()
            #expect(ended.value?.text == "welcome", "\(request.trace)")
        }
        #expect(server.count("/auth") == 1)
    }

    @Test(arguments: RefreshWay.allCases)
    func aTokenThatIsRevokedWhileItsRequestWaitsIsRefreshedAgain(way: RefreshWay) async throws {
        let authorization = Gate()
        let held = Gate()
        let tokens = TokenServer(refresh: {
            try await authorization.wait()
            return nil
        })
        let server = HoldingServer(server: tokens, gate: held)
        let client = way.client(server) {
            $0.traffic.inFlight = 1
            $0.waitsForRefresh = false
        }
        let request = client.get("/x")
        await authorization.arrivals(1)
        let other = client.get("/held")
        await held.arrivals(1)
        authorization.open()
        try await eventually { request.trace.description.contains("waits") }
        tokens.changeToken(to: "t2")
        held.open()
        #expect(await other.ended().value != nil)
        #expect(await request.ended().value?.text == "welcome", "\(request.trace)")
        #expect(tokens.count("/auth") == 2)
    }

    @Test(arguments: [false, true])
    func whatWaitedIsSentWithTheCredentialOfThatMoment(isSubclass: Bool) async throws {
        let gate = Gate()
        server.on("/held", .json("{}").after(gate)).on("*", .json("{}"))
        let client = isSubclass ? StampingClient(over: server) { $0.traffic.inFlight = 1 } : client { $0.inFlight = 1 }
        client.headers["Authorization"] = "Bearer old"
        let held = client.get("/held")
        await gate.arrivals(1)
        let waiting = client.get("/waiting")
        try await eventually { waiting.trace.description.contains("waits") }
        client.headers["Authorization"] = "Bearer new"
        gate.open()
        #expect(await held.ended().value != nil)
        #expect(await waiting.ended().value?.attempt == 1)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
    }

    @Test
    func whatAStatusHandlerRequestsNeverWaitsForAPlace() async throws {
        let gate = Gate()
        server.on("/held", .json("{}").after(gate)).on("/auth", .json("{}")).on(
            "/x",
            .replies(.status(401), .json("{}"))
        )
        let client = client { $0.inFlight = 2 }
        let held = [client.get("/held"), client.get("/held")]
        await gate.arrivals(2)
        let request = client.get("/x") { request in
            request.on(httpStatus: 401) { request, _ in
                client.get("/auth") { $0.on(success: { _ in request.retry() }) }
                return false
            }
        }
        try await eventually { request.trace.description.contains("waits") }
        held[0].cancel()
        await gate.arrivals(1)
        gate.open()
        #expect(await request.ended().value != nil)
        #expect(await held[1].ended().value != nil)
    }

    @Test
    func allWaitWhenTheServerSaysSoAndOneGoesFirst() async throws {
        let gate = Gate()
        server.on(
            "*",
            .replies(.status(429, headers: ["Retry-After": "30"]), .json("{}").after(gate), .json("{}"), .json("{}"))
        )
        let client = client { $0.respectsRateLimits = true }
        #expect(await client.get("/first").ended().error?.httpStatus == 429)
        let others = (0..<3).map { client.get("/\($0)") }
        try await eventually {
            others.allSatisfy { $0.trace.description.contains("waits 30000 ms, as the server wants") }
        }
        clock.advance(by: 29)
        #expect(server.requests.count == 1)
        clock.advance(by: 1)
        await gate.arrivals(1)
        #expect(server.requests.count == 2)
        gate.open()
        for request in others { #expect(await request.ended().value != nil) }
    }

    @Test
    func aRateIsKept() async throws {
        server.on("*", .json("{}"))
        let client = client { $0.rate = .perMinute(60, burst: 2) }
        let requests = (0..<4).map { client.get("/\($0)") }
        try await eventually { requests.filter { $0.trace.description.contains("waits") }.count == 2 }
        try await eventually { requests.filter { $0.trace.end != nil }.count == 2 }
        try await clock.advance(to: .traffic)
        try await eventually { requests.filter { $0.trace.end != nil }.count == 3 }
        try await clock.advance(to: .traffic)
        for request in requests { #expect(await request.ended().value != nil) }
        #expect(clock.now == 2)
    }

    /// One way to send passed the queue by (okhttp #7520).
    @Test(arguments: MatrixFace.allCases)
    func everyWayToSendWaitsForAPlace(face: MatrixFace) async throws {
        let gate = Gate()
        server.on("/held", .json("[]").after(gate)).on("*", .json("[]"))
        let waits = WaitCounter()
        let client = SimpleNetworking(over: server) {
            $0.traffic.inFlight = 1
            $0.eventMonitors = [waits]
        }
        let held = client.get("/held")
        await gate.arrivals(1)
        let folder = ScratchFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let sent = Task { await face.send(on: client, folder: folder.url) }
        try await eventually { waits.count == 1 }
        #expect(server.log == ["GET /held"])
        gate.open()
        #expect(await held.ended().value != nil)
        #expect(await sent.value.count == 1)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [false, true])
    func aRedirectThatWaitedDoesNotRepeatThePost(isSigned: Bool) async throws {
        let first = Gate()
        let second = Gate()
        server.on("/orders", .redirect(to: "/orders/1", status: 303).after(first))
            .on("/held", .json("{}").after(second)).on("*", .json("{}"))
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.traffic.inFlight = 1
            if isSigned { $0.authenticator = BearerAuthenticator(token: Secret("a")) }
        }
        let post = client.post("/orders")
        await first.arrivals(1)
        let held = client.get("/held")
        try await eventually { held.trace.description.contains("waits") }
        first.open()
        await second.arrivals(1)
        try await eventually { post.trace.description.contains("waits") }
        client.headers["X-Version"] = "2"
        second.open()
        #expect(await post.ended().value != nil)
        #expect(server.log.count { $0 == "POST /orders" } == 1)
    }

    @Test
    func aStreamThatGoesFirstLetsTheOthersGo() async throws {
        let gate = Gate()
        server.on("/a", .status(429, headers: ["Retry-After": "1"]))
            .on("/news", .events("x", .gate(gate))).on("*", .json("{}"))
        let client = client { $0.respectsRateLimits = true }
        #expect(await client.get("/a").ended().error?.httpStatus == 429)
        clock.advance(by: 1)
        var news = client.events(for: SimpleNetworking.get("/news")).makeAsyncIterator()
        #expect(try await news.next()?.data == "x")
        #expect(await client.get("/b").ended().value != nil)
        gate.open()
    }

    @Test
    func aReaderMaySendARequestForEachLine() async throws {
        server.on("/list", .pieces("1\n", "2\n", "3\n")).on("*", .json("{}"))
        let client = client { $0.inFlight = 1 }
        var done: [String] = []
        for try await line in client.lines(for: SimpleNetworking.get("/list")) {
            _ = try await client.send(SimpleNetworking.get("/item"))
            done.append(line)
        }
        #expect(done == ["1", "2", "3"])
    }

    @Test
    func aLongListLetsOthersGo() async throws {
        server.on("/list", .json("[1]")).on("*", .json("{}"))
        let client = client { $0.rate = .perSecond(1) }
        let list = client.get("/list") { $0.priority(.low).on(page: .numbers(), of: Int.self) { _ in true } }
        @Sendable func waits() -> Int {
            list.trace.description.components(separatedBy: "waits for its turn").count - 1
        }
        for second in 1...30 {
            try await eventually { waits() == second }
            try await clock.advance(to: .traffic)
        }
        try await eventually { waits() == 31 }
        let other = client.get("/other") { $0.priority(.high) }
        try await eventually { other.trace.description.contains("waits") }
        try await clock.advance(to: .traffic)
        #expect(await other.ended().value != nil)
        list.cancel()
    }

    @Test
    func theMinuteForAConnectionBeginsWithTheFirstFailure() async throws {
        let gate = Gate()
        server.on("/held", .json("{}").after(gate)).on("/x", .failure(.offline), times: 1).on("*", .json("{}"))
        let client = client {
            $0.inFlight = 1
            $0.waitsForConnectivity = true
        }
        let held = client.get("/held") { $0.timeout(1000) }
        await gate.arrivals(1)
        let request = client.get("/x")
        try await eventually { request.trace.description.contains("waits") }
        clock.advance(by: 100)
        gate.open()
        #expect(await held.ended().value != nil)
        try await clock.advance(to: .traffic)
        #expect(await request.ended().value != nil)
    }

    @Test(arguments: [false, true])
    func whatIsMadeAnewKeepsItsPlaceInLine(isSigned: Bool) async throws {
        let (gate, second) = (Gate(), Gate())
        server.on("/held", .json("{}").after(gate)).on("/newer", .json("{}").after(second)).on("*", .json("{}"))
        let client = StampingClient(over: server, clock: clock) {
            $0.traffic.inFlight = 1
            if isSigned { $0.authenticator = BearerAuthenticator(token: Secret("a")) }
        }
        let held = client.get("/held")
        await gate.arrivals(1)
        let older = client.get("/older")
        try await eventually { older.trace.description.contains("waits") }
        client.headers["X-Version"] = "2"
        let newer = client.get("/newer")
        try await eventually { newer.trace.description.contains("waits") }
        clock.advance(by: 1)
        let newest = client.get("/newest")
        try await eventually { newest.trace.description.contains("waits") }
        gate.open()
        #expect(await held.ended().value != nil)
        // While user code prepares it again, another may go.
        await second.arrivals(1)
        try await eventually { older.trace.description.components(separatedBy: "waits").count == 3 }
        second.open()
        for request in [older, newer, newest] { #expect(await request.ended().value?.attempt == 1) }
        #expect(older.trace.attempts == 1)
        #expect(server.log == ["GET /held", "GET /newer", "GET /older", "GET /newest"])
        try await eventually { client.isIdle }
    }

    @Test
    func whatIsMadeAnewHoldsNoSlotWhileItRefreshes() async throws {
        let slow = Gate()
        let refreshing = Gate()
        let isOld = Locked(false)
        server.on("/slow", .json("{}").after(slow)).on("*", .json("{}"))
        let bearer = BearerAuthenticator(
            token: Secret("t"),
            refresh: { _ in
                try await refreshing.wait()
                return Secret("n")
            },
            isExpired: { $0 == Secret("t") && isOld.withLock { $0 } }
        )
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.traffic.inFlight = 1
            $0.authenticator = bearer
        }
        let first = client.get("/slow")
        await slow.arrivals(1)
        let second = client.get("/a")
        try await eventually { second.trace.description.contains("waits") }
        let third = client.get("/b") { $0.unauthenticated() }
        try await eventually { third.trace.description.contains("waits") }
        isOld.exchange(true)
        client.headers["X-Version"] = "1"
        slow.open()
        await refreshing.arrivals(1)
        #expect(await third.ended().value != nil)
        refreshing.open()
        for request in [first, second] { #expect(await request.ended().value != nil) }
    }

    @Test
    func whatIsMadeAnewMaySendRequestsOfItsOwn() async throws {
        let gate = Gate()
        server.on("/held", .json("{}").after(gate)).on("*", .json("{}"))
        let client = NonceClient(over: server, clock: clock) { $0.traffic.inFlight = 1 }
        let request = client.get("/a")
        #expect(await request.ended().value != nil)
        let held = client.get("/held") { $0.tag("nonce", "none") }
        await gate.arrivals(1)
        let waiting = client.get("/b") { $0.tag("nonce", "later") }
        try await eventually { waiting.trace.description.contains("waits") }
        client.headers["X-Version"] = "1"
        gate.open()
        for request in [held, waiting] { #expect(await request.ended().value != nil) }
        #expect(server.log.suffix(2) == ["GET /nonce", "GET /b"])
        try await eventually { client.isIdle }
    }

    @Test
    func theWaitBeforeARequestWasMadeAnewDoesNotLengthenItsRedirects() async throws {
        let gate = Gate()
        server.on("/held", .json("{}").after(gate)).on("/a", .redirect(to: "/b", status: 302)).on("*", .json("{}"))
        let client = client { $0.inFlight = 1 }
        let held = client.get("/held") { $0.timeout(1000) }
        await gate.arrivals(1)
        let request = client.get("/a") { $0.timeout(60) }
        try await eventually { request.trace.description.contains("waits") }
        clock.advance(by: 300)
        client.headers["X-Version"] = "1"
        gate.open()
        for request in [held, request] { #expect(await request.ended().value != nil) }
        #expect(server.requests.last?.url.path == "/b" && server.requests.last?.timeout == 60)
    }

    @Test
    func whatIsMadeAnewForAnotherServerDoesNotWaitForItself() async throws {
        let gate = Gate()
        server.on("/held", .json("{}").after(gate)).on("*", .json("{}"))
        let client = MovingClient(over: server, clock: clock) { $0.traffic.inFlight = 1 }
        let held = client.get("/held")
        await gate.arrivals(1)
        let moved = client.get("/a")
        try await eventually { moved.trace.description.contains("waits") }
        client.headers["X-Version"] = "1"
        gate.open()
        for request in [held, moved] { #expect(await request.ended().value != nil) }
        #expect(server.requests.last?.url.host == "other.example.com")
        try await eventually { client.isIdle }
    }
}

/// Sends requests to another host once a header field is set.
private final class MovingClient: SimpleNetworking, @unchecked Sendable {
    override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
        guard attempt.headers["X-Version"] != nil, let url = URL(string: "https://other.example.com/a") else { return }
        attempt.url = url
    }
}

/// Fetches a nonce for each attempt of a request; one with a tag only once it is made anew.
private final class NonceClient: SimpleNetworking, @unchecked Sendable {
    override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
        let isWanted = request.tags["nonce"] == nil || request.tags["nonce"] == "later" && headers["X-Version"] != nil
        guard attempt.url.path != "/nonce", isWanted else { return }
        _ = try await send(SimpleNetworking.get("/nonce").tag("nonce", "none"))
    }
}

/// Counts the attempts that wait.
private final class WaitCounter: EventMonitor {
    private let waits = Recorder<Bool>()

    var count: Int { waits.elements.count }

    func observe(_ event: RequestEvent, of request: ObservedRequest) {
        if case .note(let step as TrafficStep) = event.kind, case .waits = step { waits.add(true) }
    }
}

/// Answers `/held` with 200 once a gate has opened, and leaves the rest to another server.
private struct HoldingServer: Transport {
    let server: TokenServer
    let gate: Gate

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard request.url.path == "/held" else { return try await server.send(request) }
        try await gate.wait()
        return TransportResponse(httpStatus: 200)
    }
}
