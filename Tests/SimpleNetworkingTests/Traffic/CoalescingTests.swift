import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// Equal requests that share one transfer.
@Suite(.timeLimit(.minutes(5)))
struct CoalescingTests {
    private let server = StubTransport()
    private let clock = VirtualClock()

    private func client(
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) -> SimpleNetworking {
        SimpleNetworking(over: server, clock: clock) {
            $0.traffic.coalesces = true
            configure(&$0)
        }
    }

    private func joined(_ requests: [SimpleRequest]) -> Int {
        requests.filter { $0.trace.description.contains("joins GET") }.count
    }

    /// Waits until equal requests have read the clock, each for its timeout, and their transfer for its turn.
    private func untilAllWait(_ requests: [SimpleRequest], behind others: Int) async throws {
        await clock.alarms(requests.count + others, for: .timeout)
        try await eventually { requests.contains { $0.trace.description.contains("waits for its turn") } }
    }

    @Test
    func aThousandEqualRequestsAreOneOnTheWireAndEndEach() async throws {
        let gate = Gate()
        server.on("*", .json(#"{"name": "Ada"}"#).after(gate))
        let client = client()
        let names = Recorder<String?>()
        let requests = (0..<1000).map { _ in
            client.get("/user") { $0.on(success: { names.add($0.json?["name"] as? String) }) }
        }
        await gate.arrivals(1)
        try await eventually { joined(requests) == 999 }
        gate.open()
        for request in requests { #expect(await request.ended().value != nil) }
        #expect(server.requests.count == 1)
        #expect(names.elements == Array(repeating: "Ada", count: 1000))
        #expect(requests.allSatisfy { $0.trace.description.contains("status 200") })
    }

    @Test
    func aRequestWithABreakerOfItsOwnSharesNoTransfer() async throws {
        let gate = Gate()
        server.on("*", .json("{}").after(gate))
        let client = client()
        let breaker = CircuitBreaker(failureShare: 0.5, minimumCalls: 4, window: 30, openTime: 5)
        let requests = [client.get("/user"), client.get("/user") { $0.middleware(breaker) }]
        await gate.arrivals(2)
        gate.open()
        for request in requests { #expect(await request.ended().value != nil) }
        #expect(server.requests.count == 2)
    }

    @Test
    func noRequestJoinsATransferThatIsOlderThanAChangeOfItsResource() async throws {
        let gate = Gate()
        let headers: HTTPHeaders = ["Cache-Control": "max-age=60"]
        server.on(.get, "/x", .text("old", headers: headers).after(gate), times: 1)
            .on(.get, "/x", .text("new", headers: headers)).on(.put, "/x", .status(204))
        let client = client { $0.cache = ResponseCache() }
        let first = client.get("/x")
        await gate.arrivals(1)
        #expect(await client.put("/x").ended().value != nil)
        #expect(await client.get("/x").ended().value?.text == "new")
        gate.open()
        #expect(await first.ended().value?.text == "old")
        #expect(await client.get("/x").ended().value?.text == "new")
    }

    @Test
    func aRequestThatFollowsNoRedirectsJoinsNoneThatDoes() async throws {
        let gate = Gate()
        server.on("/x", .redirect(to: "/y", status: 302).after(gate)).on("/y", .json("{}"))
        let client = client()
        let following = client.get("/x")
        await gate.arrivals(1)
        let other = client.get("/x") { $0.redirects(.never).acceptable(statuses: [302]) }
        await gate.arrivals(2)
        gate.open()
        for request in [following, other] { #expect(await request.ended().value != nil) }
        #expect(server.log == ["GET /x", "GET /x", "GET /y"])
    }

    /// Over real sockets; the request that began the transfer is among those that are cancelled.
    @Test(arguments: Engine.allCases, [false, true])
    func aThousandShareOneTransferOfAnEngine(engine: Engine, mostAreCancelled: Bool) async throws {
        let latch = RawServer.Latch()
        let server = try RawServer { _ in .response(body: "hello").held(by: latch) }
        let client = try engine.client(server) { $0.traffic.coalesces = true }
        let requests = (0..<1000).map { _ in client.get("/user") }
        try await eventually { joined(requests) == 999 }
        await server.wait(forRequests: 1)
        let cancelled = mostAreCancelled ? requests.prefix(999) : []
        for request in cancelled { request.cancel() }
        for request in cancelled { #expect(await request.ended().error?.isCancellation == true) }
        latch.open()
        for request in requests.dropFirst(cancelled.count) { #expect(await request.ended().value?.text == "hello") }
        #expect(server.requests.count == 1)
    }

    /// The joiner of an aborted request hung (undici #5673), or was aborted with it (undici #5711).
    @Test
    func cancellingAllButOneLeavesThatOne() async throws {
        let gate = Gate()
        server.on("*", .json("{}").after(gate))
        let client = client()
        let requests = (0..<1000).map { _ in client.get("/user") }
        try await eventually { joined(requests) == 999 }
        // The one that began it is among them.
        for request in requests.dropLast() { request.cancel() }
        for request in requests.dropLast() { #expect(await request.ended().error?.isCancellation == true) }
        gate.open()
        #expect(await requests[999].ended().value != nil)
        #expect(server.requests.count == 1)
    }

    /// A context that was cancelled spoiled the requests that came later (tailscale #18919).
    @Test
    func afterTheLastHasGoneTheNextBeginsAfresh() async throws {
        let gate = Gate()
        server.on("*", .replies(.json("{}").after(gate), .json("{}")))
        let client = client()
        let requests = (0..<3).map { _ in client.get("/user") }
        try await eventually { joined(requests) == 2 }
        // Otherwise, the next request may get the first reply.
        await gate.arrivals(1)
        for request in requests { request.cancel() }
        for request in requests { #expect(await request.ended().error?.isCancellation == true) }
        #expect(await client.get("/user").ended().value != nil)
        #expect(server.requests.count == 2)
    }

    @Test
    func eachHasATimeoutOfItsOwn() async throws {
        let gate = Gate()
        server.on("*", .json("{}").after(gate))
        let client = client()
        let hurried = client.get("/user") { $0.timeout(10) }
        await gate.arrivals(1)
        let patient = client.get("/user") { $0.timeout(100) }
        try await eventually { joined([patient]) == 1 }
        await clock.alarms(2, for: .timeout)
        clock.advance(by: 50)
        guard case .timedOut(.attempt(10), _)? = await hurried.ended().error else { throw Surprise("no timeout") }
        gate.open()
        #expect(await patient.ended().value != nil)
    }

    @Test
    func aFailureIsToldToAll() async throws {
        let gate = Gate()
        server.on("*", .failure(NetworkFailure(.connectionLost)).after(gate))
        let client = client()
        let requests = (0..<10).map { _ in client.get("/user") }
        try await eventually { joined(requests) == 9 }
        gate.open()
        for request in requests {
            guard case .networkingError? = await request.ended().error else { throw Surprise("another end") }
        }
        #expect(server.requests.count == 1)
    }

    /// Requests with a body were merged (undici #4817).
    @Test(arguments: [
        "another path", "another query", "another field", "another account", "POST", "content", "a download",
        "switched off",
    ])
    func whatDiffersIsNotShared(difference: String) async throws {
        let gate = Gate()
        server.on("*", .json("{}").after(gate))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let bearer = Locked("a")
        let client = client {
            if difference == "another account" { $0.authenticator = ChangingBearer(token: bearer) }
        }
        let first = client.get("/user")
        await gate.arrivals(1)
        let second: SimpleRequest
        switch difference {
        case "another path": second = client.get("/users")
        case "another query": second = client.get("/user?page=2")
        case "another field": second = client.get("/user") { $0.header("X-Trace", "1") }
        case "another account":
            bearer.exchange("b")
            second = client.get("/user")
        case "POST": second = client.post("/user")
        case "content": second = client.get("/user") { $0.allowsBodyOnGet().body(json: ["a": 1]) }
        case "a download": second = client.get("/user") { $0.download(to: file) }
        default: second = client.get("/user") { $0.coalesced(false) }
        }
        await gate.arrivals(2)
        gate.open()
        #expect(await first.ended().value != nil)
        #expect(await second.ended().value != nil)
        #expect(server.requests.count == 2)
    }

    @Test
    func byDefaultNothingIsShared() async throws {
        let gate = Gate()
        server.on("*", .json("{}").after(gate))
        let client = SimpleNetworking(over: server)
        let requests = [client.get("/user"), client.get("/user") { $0.coalesced() }]
        await gate.arrivals(2)
        gate.open()
        for request in requests { #expect(await request.ended().value != nil) }
    }

    @Test
    func onePlaceIsEnoughForAllThatShare() async throws {
        let gate = Gate()
        server.on("*", .json("{}").after(gate))
        let client = client { $0.traffic.inFlight = 1 }
        let first = client.get("/other")
        await gate.arrivals(1)
        let requests = (0..<10).map { _ in client.get("/user") { $0.timeout(10) } }
        try await eventually { joined(requests) == 9 }
        try await untilAllWait(requests, behind: 1)
        // Waiting does not count against a timeout, of those that have joined either.
        clock.advance(by: 40)
        gate.open()
        #expect(await first.ended().value != nil)
        for request in requests { #expect(await request.ended().value != nil) }
        #expect(server.log == ["GET /other", "GET /user"])
    }

    @Test
    func aMoreUrgentRequestDoesNotWaitInTheirPlace() async throws {
        let gate = Gate()
        server.on("/held", .json("{}").after(gate)).on("*", .json("{}"))
        let client = client { $0.traffic.inFlight = 1 }
        let held = client.get("/held")
        await gate.arrivals(1)
        var requests: [SimpleRequest] = []
        for (path, priority) in [("/user", .low), ("/other", .normal), ("/user", .high)] as [(String, RequestPriority)]
        {
            let request = client.get(path) { $0.priority(priority) }
            try await eventually { request.trace.description.contains("waits") }
            requests.append(request)
        }
        // A less urgent one that comes later shares it.
        let last = client.get("/user")
        try await eventually { joined([last]) == 1 }
        gate.open()
        for request in [held, last] + requests { #expect(await request.ended().value != nil) }
        #expect(server.log == ["GET /held", "GET /user", "GET /other", "GET /user"])
        #expect(joined(requests) == 0)
    }

    @Test
    func whatAStatusHandlerRequestsNeverWaitsInTheirPlace() async throws {
        let first = Gate()
        let held = Gate()
        server.on("/x", .status(401).after(first), times: 1).on("/held", .json("{}").after(held)).on("*", .json("{}"))
        let client = client { $0.traffic.inFlight = 1 }
        let request = client.get("/x") { request in
            request.on(httpStatus: 401) { request, _ in
                client.get("/token") { $0.on(success: { _ in request.retry() }) }
                return false
            }
        }
        await first.arrivals(1)
        let others = ["/held", "/token"].map { client.get($0) }
        try await eventually { others.allSatisfy { $0.trace.description.contains("waits") } }
        first.open()
        await held.arrivals(1)
        try await eventually { self.server.log.contains("GET /token") }
        held.open()
        for request in others + [request] { #expect(await request.ended().value != nil) }
        // Which of the two came first does not matter: the slot was taken.
        #expect(server.log.prefix(3).sorted() == ["GET /held", "GET /token", "GET /x"])
    }

    /// A hedge is to overtake what the first one waits for.
    @Test
    func aHedgeIsSentByItself() async throws {
        server.on("/x", .silence, times: 1).on("/x", .text("second"))
        let client = client { $0.middleware = [Hedging(after: 1, share: 1)] }
        let request = client.get("/x")
        try await clock.advance(to: .hedge)
        #expect(await request.ended().value?.text == "second")
        #expect(server.requests.count == 2)
    }

    @Test
    func waitingForAConnectionCountsAgainstNoTimeout() async throws {
        server.on("*", .failure(NetworkFailure(.offline)), times: 8).on("*", .json("{}"))
        let client = client { $0.traffic.waitsForConnectivity = true }
        let request = client.get("/x") { $0.timeout(2).deadline(1000) }
        for _ in 0..<8 { try await clock.advance(to: .traffic) }
        #expect(await request.ended().value != nil)
        #expect(clock.now > 2)
    }

    @Test
    func eachWaitsForAConnectionUntilItsOwnDeadline() async throws {
        server.on("*", .failure(NetworkFailure(.offline)))
        let client = client { $0.traffic.waitsForConnectivity = true }
        let hurried = client.get("/x") { $0.deadline(5) }
        try await eventually { hurried.trace.description.contains("waits for a connection") }
        let patient = client.get("/x") { $0.deadline(500) }
        try await eventually { patient.trace.description.contains("waits for a connection") }
        // Not at once, which an attempt's timeout would take for its own time.
        let requests = [hurried, patient]
        try await clock.advance(to: .traffic, until: { requests.allSatisfy { $0.trace.end != nil } }, orAt: 1000)
        #expect(await hurried.ended().error != nil)
        #expect(await patient.ended().error != nil)
        #expect((480...500).contains(clock.now))
    }

    /// What is prepared anew, since its credential was replaced while it waited, is the same attempt.
    @Test
    func allThatShareAreMadeAnewInTheSameAttempt() async throws {
        let gate = Gate()
        server.on("/held", .json("{}").after(gate)).on("*", .json("{}"))
        let client = StampingClient(over: server, clock: clock) {
            $0.traffic.coalesces = true
            $0.traffic.inFlight = 1
        }
        client.headers["Authorization"] = "Bearer old"
        let held = client.get("/held")
        await gate.arrivals(1)
        let requests = (0..<3).map { _ in client.get("/user") }
        try await eventually { joined(requests) == 2 }
        // Until then, the transfer may not have read the settings that change.
        try await eventually { requests.contains { $0.trace.description.contains("waits") } }
        client.headers["Authorization"] = "Bearer new"
        gate.open()
        #expect(await held.ended().value != nil)
        for request in requests { #expect(await request.ended().value?.attempt == 1) }
        #expect(Set(server.requests.map { $0.headers["Authorization"] }) == ["Bearer old", "Bearer new"])
        #expect(server.requests.count { $0.headers["Authorization"] == "Bearer old" } == 1)
    }

    @Test
    func theRedirectOfOneThatJoinedHasItsWholeTimeoutToo() async throws {
        let gate = Gate()
        server.on("/held", .json("{}").after(gate)).on("/from", .redirect(to: "/to")).on("*", .json("{}"))
        let client = client { $0.traffic.inFlight = 1 }
        let held = client.get("/held") { $0.timeout(1000) }
        await gate.arrivals(1)
        let requests = (0..<2).map { _ in client.get("/from") { $0.timeout(10) } }
        try await eventually { joined(requests) == 1 }
        try await untilAllWait(requests, behind: 1)
        clock.advance(by: 50)
        gate.open()
        for request in requests + [held] { #expect(await request.ended().value != nil) }
    }
}

/// Signs with a token that a test changes.
private struct ChangingBearer: Authenticator {
    let token: Locked<String>

    func credential() async throws -> String? { token.withLock { $0 } }
    func sign(_ request: inout TransportRequest, with credential: String) {
        request.headers["Authorization"] = "Bearer \(credential)"
    }
    func identity(of credential: String) -> String { credential }
    func refresh(_ credential: String) async throws -> String { credential }
}
