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

/// What changes after the first request of an attempt, or just before it; random worlds have found all of these.
@Suite(.timeLimit(.minutes(5)))
struct LateDepartureTests {
    private let held = Gate()
    private let server = StubTransport()

    @Test(arguments: [true, false])
    func theRequestAfterA417DoesNotCarryTheCredentialOfAFormerUser(isField: Bool) async throws {
        server.on(.post, "/orders", where: [.header("Expect", "100-continue")], .status(417).after(held))
        server.on(.post, "/orders", .status(201), times: .atMost(1))
        let bearer = BearerAuthenticator(token: Secret("ada"))
        let client = SimpleNetworking(over: server) { if !isField { $0.authenticator = bearer } }
        if isField { client.headers["Authorization"] = "Bearer ada" }
        let request = client.post("/orders") { $0.body(text: "order").header("Expect", "100-continue") }
        await held.arrivals(1)
        client.signOut()
        bearer.token = nil
        held.open()
        guard case .authentication? = await request.ended().error else { throw Surprise("\(request.trace)") }
        #expect(server.requests.count == 1)
    }

    @Test
    func theRequestAfterA417WaitsWhileItIsSuspended() async throws {
        server.on(.post, "/orders", where: [.header("Expect", "100-continue")], .status(417).after(held))
        server.on(.post, "/orders", .status(201))
        let client = SimpleNetworking(over: server)
        let request = client.post("/orders") { $0.body(text: "order").header("Expect", "100-continue") }
        await held.arrivals(1)
        request.suspend()
        held.open()
        try await eventually { request.trace.description.contains("sent again without Expect") }
        #expect(server.requests.count == 1)
        request.resume()
        #expect(await request.ended().value != nil)
        #expect(server.requests.map { $0.headers["Expect"] } == ["100-continue", nil])
    }

    /// The first redirect takes the credential away, and the second one would bring it back.
    @Test
    func aFormerUsersCredentialDoesNotComeBackWithASecondRedirect() async throws {
        server
            .on("https://api.example.com/around", .redirect(to: "https://files.example.net/back").after(held))
            .on("https://files.example.net/back", .redirect(to: "https://api.example.com/items"))
            .on("https://api.example.com/items", .json("{}"))
        let client = SimpleNetworking(host: "api.example.com") {
            $0.transport = server
            $0.cookieJar = CookieJar()
            if let files = Origin("https://files.example.net") { $0.trustedOrigins = [files] }
            $0.defaultHeaders["Authorization"] = "Bearer ada"
        }
        let request = client.get("/around")
        await held.arrivals(1)
        client.signOut()
        held.open()
        #expect(await request.ended().value != nil)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer ada", nil, nil])
    }

    /// Takes its time to prepare a request.
    private final class Slow: SimpleNetworking, @unchecked Sendable {
        let gates = [Gate(), Gate(), Gate()]
        let prepares = Locked(0)

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            attempt.headers["X-Prepared"] = headers["X-Version"]
            let number = prepares.next() - 1
            if gates.indices.contains(number) { try await gates[number].wait() }
        }
    }

    @Test
    func whatChangesWhileARequestIsPreparedAgainIsPreparedOnceMore() async throws {
        server.on("*", .json("{}"))
        let client = Slow(over: server) { $0.defaultHeaders["X-Version"] = "0" }
        let request = client.get("/x")
        for (number, gate) in client.gates.enumerated() {
            await gate.arrivals(1)
            if number < 2 { client.headers["X-Version"] = "\(number + 1)" }
            gate.open()
        }
        #expect(await request.ended().value != nil)
        #expect(server.requests.map { $0.headers["X-Prepared"] } == ["2"])
        #expect(server.requests.map { $0.headers["X-Version"] } == ["2"])
    }

    /// In a simulation, no task begins before the code that executes a request pauses.
    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func whatHappensBeforeTheTaskOfAPlainRequestBeginsCounts() async throws {
        try await simulate(seeds: 1...20) { world in
            world.faultRate = 0
            world.server.on("*") { request in
                world.expect(request.headers["Authorization"] == nil, "\(request) has a former user's credential")
                world.expect(request.url.path != "/suspended", "\(request) is sent while it is suspended")
                return .json("{}")
            }
            let api = SimpleNetworking(host: "api.example.com") {
                world.configure(&$0)
                $0.defaultHeaders["Authorization"] = "Bearer ada"
            }
            let suspended = api.get("/suspended")
            suspended.suspend()
            api.get("/user")
            api.signOut()
            await world.settled()
            suspended.cancel()
        }
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func aRequestThatIsCancelledBeforeItJoinsATransferIsNotSent() async throws {
        try await simulate(seeds: 1...50) { world in
            world.server.on("*") { request in
                world.expect(false, "\(request) is sent, though it is cancelled")
                return .json("{}")
            }
            let api = SimpleNetworking(host: "api.example.com") { world.configure(&$0) }
            api.get("/user") { $0.coalesced() }.cancel()
            await world.settled()
        }
    }

    /// 17.566 + 0.7 - 17.566 is less than 0.7, and the clock doesn't move for the difference.
    @Test
    func theTimeoutOfASharedTransferEndsDespiteRounding() async throws {
        let clock = VirtualClock()
        clock.advance(by: 17.566)
        server.on("/x", .silence)
        let client = SimpleNetworking(over: server) {
            $0.clock = clock
            $0.traffic.coalesces = true
        }
        let request = client.get("/x") { $0.timeout(0.7) }
        try await eventually { server.requests.count == 1 }
        clock.advance(by: 1)
        guard case .timedOut? = await request.ended().error else { throw Surprise("\(request.trace)") }
    }

    /// What was redirected was carried out.
    @Test(arguments: ["plain", "cache", "coalescing"])
    func aRedirectGoesOnWithoutTheUserWhoHasSignedOut(feature: String) async throws {
        server.on(.post, "/orders", .redirect(to: "/orders/7", status: 303).after(held)).on("/orders/7", .json("{}"))
        let bearer = BearerAuthenticator(token: Secret("ada"))
        let client = SimpleNetworking(over: server) {
            $0.authenticator = bearer
            if feature == "cache" { $0.cache = ResponseCache() }
            $0.traffic.coalesces = feature == "coalescing"
        }
        let request = client.post("/orders")
        await held.arrivals(1)
        bearer.token = nil
        held.open()
        #expect(await request.ended().value != nil, "\(request.trace)")
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer ada", nil])
    }
}
