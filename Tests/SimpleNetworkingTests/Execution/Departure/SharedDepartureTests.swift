import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Equal requests that share a transfer which has to wait.
@Suite(.timeLimit(.minutes(5)))
struct SharedDepartureTests {
    /// What changes while the transfer waits.
    enum Change: CaseIterable {
        case headerField, token
    }

    /// A joined request that had to begin again sent its POST twice.
    @Test(arguments: Change.allCases)
    func aPostWhoseRedirectJoinsAnotherRequestIsSentOnce(change: Change) async throws {
        let (order, held, old) = (Gate(), Gate(), Gate())
        let server = StubTransport()
            .on(.post, "/orders", .redirect(to: "/orders/1", status: 303).after(order))
            .on("/revoked", .status(401).after(old), times: 1)
            .on("/held", .json("{}").after(held)).on("*", .json("{}"))
        let bearer = BearerAuthenticator(token: Secret("old")) { _ in Secret("new") }
        let client = SimpleNetworking(over: server) {
            $0.traffic.inFlight = 3
            $0.traffic.coalesces = true
            $0.authenticator = bearer
        }
        let post = client.post("/orders")
        await order.arrivals(1)
        let revoked = client.get("/revoked")
        await old.arrivals(1)
        client.get("/held", query: ["n": 1])
        await held.arrivals(1)
        // It waits for the page to which the POST will be redirected.
        let poll = client.get("/orders/1")
        try await eventually { poll.trace.description.contains("waits for its turn") }
        // They take the places of the POST and of the revoked request.
        for number in 2...3 {
            let next = client.get("/held", query: ["n": number]) { $0.priority(.high) }
            try await eventually { next.trace.description.contains("waits for its turn") }
        }
        order.open()
        try await eventually { post.trace.description.contains("joins") }
        if change == .headerField { client.headers["X-Version"] = "2" }
        old.open()
        try await eventually { bearer.token?.reveal() == "new" }
        held.open()
        #expect(await post.ended().value != nil, "\(post.trace)")
        await poll.ended()
        await revoked.ended()
        #expect(server.log.count { $0 == "POST /orders" } == 1)
        let sent = try #require(server.requests(to: "/orders/1").last)
        #expect(sent.headers["Authorization"] == "Bearer new")
        #expect(sent.headers["X-Version"] == (change == .headerField ? "2" : nil))
    }

    @Test(arguments: [true, false])
    func aRequestThatNobodySharesIsNotSentWhileItIsSuspended(coalesces: Bool) async throws {
        let held = Gate()
        let server = StubTransport().on("/held", .json("{}").after(held)).on("*", .json("{}"))
        let client = SimpleNetworking(over: server) {
            $0.traffic.inFlight = 1
            $0.traffic.coalesces = coalesces
        }
        let first = client.get("/held")
        await held.arrivals(1)
        let lone = client.get("/x")
        try await eventually { lone.trace.description.contains("waits for its turn") }
        lone.suspend()
        held.open()
        await first.ended()
        // Its turn comes, and goes to another request.
        #expect(await client.get("/y").ended().value != nil)
        #expect(server.requests(to: "/x").isEmpty)
        lone.resume()
        #expect(await lone.ended().value != nil)
    }

    /// A shared transfer waits only while all of its requests are suspended.
    @Test(arguments: ["resume", "join", "leave"])
    func oneRequestThatIsNotSuspendedIsEnough(way: String) async throws {
        let held = Gate()
        let server = StubTransport().on("/held", .json("{}").after(held)).on("*", .json("{}"))
        let client = SimpleNetworking(over: server) {
            $0.traffic.inFlight = 1
            $0.traffic.coalesces = true
        }
        let blocker = client.get("/held")
        await held.arrivals(1)
        let requests = (0..<2).map { _ in client.get("/x") }
        try await eventually { requests.count { $0.trace.description.contains("joins") } == 1 }
        try await eventually { requests.contains { $0.trace.description.contains("waits for its turn") } }
        for request in requests { request.suspend() }
        held.open()
        await blocker.ended()
        #expect(await client.get("/y").ended().value != nil)
        #expect(server.requests(to: "/x").isEmpty)
        switch way {
        case "resume": requests[0].resume()
        case "join": #expect(await client.get("/x").ended().value != nil)
        default:
            for request in requests { request.cancel() }
            for request in requests { #expect(await request.ended().error?.isCancellation == true) }
            #expect(await client.get("/x").ended().value != nil)
        }
        if way != "leave" { for request in requests { #expect(await request.ended().value != nil) } }
        #expect(server.requests(to: "/x").count == 1)
    }

    @Test
    func oneFailedTransferCountsOnceForTheBreaker() async throws {
        let gate = Gate()
        let server = StubTransport().on("/slow", .status(503).after(gate)).on("*", .json("{}"))
        let client = SimpleNetworking(over: server, through: [CircuitBreaker()]) { $0.traffic.coalesces = true }
        let requests = (0..<20).map { _ in client.get("/slow") }
        await gate.arrivals(1)
        try await eventually { requests.count { $0.trace.description.contains("joins") } == 19 }
        gate.open()
        for request in requests { #expect(await request.ended().error?.httpStatus == 503) }
        #expect(await client.get("/other").ended().value != nil)
        #expect(server.requests.count == 2)
    }

    /// It has its turn already when its credential is read again, because it has waited.
    @Test
    func aCredentialThatTheClientItselfRequestsDoesNotWaitForTheTurnOfItsRequest() async throws {
        struct Fetching: Authenticator {
            let client = Locked<SimpleNetworking?>(nil)

            func credential() async throws -> String? {
                let client = client.withLock { $0 }
                return try await client?.send(SimpleNetworking.get("/token").unauthenticated()).text
            }
            func sign(_ request: inout TransportRequest, with credential: String) {
                request.headers["Authorization"] = "Bearer \(credential)"
            }
        }
        let held = Gate()
        let server = StubTransport()
            .on("/held", .json("{}").after(held)).on("/token", .text("t")).on("/x", .json("{}"))
        let fetching = Fetching()
        let client = SimpleNetworking(over: server) {
            $0.traffic.inFlight = 1
            $0.authenticator = fetching
        }
        _ = fetching.client.exchange(client)
        let first = client.get("/held")
        await held.arrivals(1)
        let second = client.get("/x")
        try await eventually { second.trace.description.contains("waits for its turn") }
        held.open()
        await first.ended()
        #expect(await second.ended().value != nil)
        #expect(server.requests(to: "/x").first?.headers["Authorization"] == "Bearer t")
        _ = fetching.client.exchange(nil)
    }
}
