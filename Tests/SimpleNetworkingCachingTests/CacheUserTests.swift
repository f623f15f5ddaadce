import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// What is stored for the next user, while a request of the former one is still above the cache.
@Suite(.timeLimit(.minutes(1)))
struct CacheUserTests {
    /// Holds the first request back.
    private struct Holding: Middleware {
        let gate: Gate
        let isFirst = Locked(true)

        func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
            if isFirst.exchange(false) { try await gate.wait() }
            return try await next(request)
        }
    }

    /// Has a token of its own, and takes its time to prepare the first attempt.
    private final class OwnToken: SimpleNetworking, @unchecked Sendable {
        let isReady = Gate()
        let isFirst = Locked(true)
        let token = Locked("")

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            if isFirst.exchange(false) { try await isReady.wait() }
            attempt.headers["Authorization"] = token.withLock { $0 }
        }
    }

    /// Neither an authenticator nor a cookie jar tells whose the requests are.
    @Test(arguments: ["field", "basic", "hook"], [CachePolicy.use, .onlyCached])
    func aRequestOfTheFormerUserHasNoResponseOfTheNextOne(user: String, policy: CachePolicy) async {
        let server = StubTransport().on("/me") { request in
            .text(request.headers["Authorization"] ?? "", headers: ["Cache-Control": "private, max-age=600"])
        }
        func configure(_ configuration: inout SimpleNetworking.Configuration) { configuration.cache = ResponseCache() }
        let holding = Holding(gate: Gate())
        let client =
            user == "hook"
            ? OwnToken(over: server, configure) : SimpleNetworking(over: server, through: [holding], configure)
        func signIn(_ name: String) {
            switch user {
            case "field": client.headers["Authorization"] = "Bearer \(name)"
            case "basic": client.authenticate(with: name, password: "open sesame")
            default: (client as? OwnToken)?.token.withLock { $0 = name }
            }
        }
        let gate = (client as? OwnToken)?.isReady ?? holding.gate
        signIn("ada")
        let request = client.get("/me") { $0.cachePolicy(policy) }
        await gate.arrivals(1)
        client.signOut()
        signIn("bob")
        #expect(await client.get("/me").ended().value != nil)
        gate.open()
        guard case .authentication(let failure)? = await request.ended().error else {
            Issue.record("\(request.trace)")
            return
        }
        #expect(failure.underlying as? RefreshFailure == .signedOut)
        #expect(server.requests.count == 1)
    }

    /// The age counts from the request that was sent, and not from when another one joined it (RFC 9111 §4.2.3).
    @Test
    func aResponseIsAsOldAsTheTransferThatARequestHasJoined() async throws {
        let gate = Gate()
        let clock = VirtualClock()
        let world = CachedWorld {
            $0.clock = clock
            $0.traffic.coalesces = true
        }
        world.server.on("/x", .text("x", headers: ["Cache-Control": "max-age=2"]).after(gate))
        let first = world.client.get("/x")
        await gate.arrivals(1)
        world.pass(5)
        clock.advance(by: 5)
        let second = world.client.get("/x")
        try await eventually { second.trace.description.contains("joins GET") }
        gate.open()
        for request in [first, second] { #expect(await request.ended().value != nil) }
        // It has been stale since before it arrived.
        #expect(await world.client.get("/x").ended().value != nil)
        #expect(world.server.requests.count == 2)
    }

    /// The token arrives between the look-up and the storing.
    @Test
    func aResponseOfTheFirstTokenIsOnlyForItsUser() async {
        let server = StubTransport().on("/me") { request in
            .text(request.headers["Authorization"] ?? "", headers: ["Cache-Control": "private, max-age=600"])
        }
        let bearer = BearerAuthenticator(signIn: { Secret("ada") })
        let client = SimpleNetworking(over: server) {
            $0.authenticator = bearer
            $0.cache = ResponseCache()
        }
        let offline = await client.get("/me") { $0.cachePolicy(.onlyCached) }.ended()
        #expect(offline.value == nil && bearer.token == nil)
        #expect(await client.get("/me").ended().value?.text == "Bearer ada")
        #expect(await client.get("/me").ended().value?.text == "Bearer ada")
        #expect(server.requests.count == 1)
        bearer.token = Secret("bob")
        #expect(await client.get("/me").ended().value?.text == "Bearer bob")
        bearer.token = nil
        #expect(await client.get("/me").ended().value?.text == "Bearer ada")
    }
}
