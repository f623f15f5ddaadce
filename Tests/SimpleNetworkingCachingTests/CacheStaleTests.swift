import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// Stale responses that the server permits (RFC 5861), and stored errors.
@Suite(.timeLimit(.minutes(5)))
struct CacheStaleTests {
    private func text(_ world: CachedWorld, _ policy: CachePolicy = .use, _ headers: HTTPHeaders = [:]) async -> String?
    {
        await world.send(.get, "/x", headers, policy).response?.text
    }

    // MARK: stale-while-revalidate

    @Test
    func staleResponseIsServedAndRevalidatedMeanwhile() async throws {
        let world = CachedWorld()
        let gate = Gate()
        let headers: HTTPHeaders = ["Cache-Control": "max-age=60, stale-while-revalidate=30", "ETag": #""1""#]
        world.server.on("/x", .text("old", headers: headers), times: 1)
            .on("/x", .text("new", headers: ["Cache-Control": "max-age=60"]).after(gate))
        await world.send()
        world.pass(80)
        // One revalidation is enough for both.
        for _ in 1...2 { #expect(await text(world) == "old") }
        await gate.arrivals(1)
        gate.open()
        await world.cache.revalidated()
        #expect(world.server.requests.count == 2)
        #expect(world.server.requests.last?.headers["If-None-Match"] == #""1""#)
        #expect(await text(world) == "new")
        #expect(world.server.requests.count == 2)
    }

    @Test
    func failedRevalidationLeavesTheStaleResponse() async {
        let world = CachedWorld()
        world.server
            .on("/x", .text("old", headers: ["Cache-Control": "max-age=60, stale-while-revalidate=30"]), times: 1)
            .on("/x", .failure(NetworkFailure(.connectionLost)))
        await world.send()
        world.pass(61)
        for count in 2...3 {
            #expect(await text(world) == "old")
            await world.cache.revalidated()
            #expect(world.server.requests.count == count)
        }
    }

    @Test(arguments: [
        ("max-age=60, stale-while-revalidate=30", 91, CachePolicy.use),
        ("max-age=60, stale-while-revalidate=30, must-revalidate", 61, .use),
        ("max-age=60, stale-while-revalidate", 61, .use), ("max-age=60, stale-while-revalidate=30", 61, .revalidate),
        ("max-age=60, stale-while-revalidate=30", 61, .reload),
    ])
    func staleResponseIsNotServedBeyondThePermission(control: String, after: TimeInterval, policy: CachePolicy) async {
        let world = CachedWorld()
        world.reply(["Cache-Control": control])
        await world.send()
        world.pass(after)
        #expect(await world.end(.get, "/x", [:], policy) == .fetched)
    }

    @Test(arguments: [(HTTPMethod.head, ""), (.get, "Range: bytes=0-0")])
    func whatRevalidatesNothingIsNotServedStale(method: HTTPMethod, fields: String) async {
        let world = CachedWorld()
        world.reply(["Cache-Control": "max-age=60, stale-while-revalidate=30"])
        await world.send()
        world.pass(61)
        #expect(await world.end(method, "/x", HTTPHeaders(lines: fields)) == .fetched)
    }

    // MARK: stale-if-error

    private static let failures: [StubResponse] = [
        .status(500), .status(502), .status(503), .status(504), .failure(NetworkFailure(.connectionLost)),
        .status(503, headers: ["Cache-Control": "max-age=60"]),
    ]

    @Test(arguments: failures.indices)
    func staleResponseStandsInForAnError(failure: Int) async {
        let world = CachedWorld()
        world.server
            .on("/x", .text("old", headers: ["Cache-Control": "max-age=60, stale-if-error=30"]), times: 1)
            .on("/x", Self.failures[failure])
        await world.send()
        world.pass(90)
        for _ in 1...2 {
            let response = await world.send().response
            #expect(response?.httpStatus == 200 && response?.text == "old" && response?.headers["Age"] == "90")
        }
        #expect(world.server.requests.count == 3)
        world.pass(1)
        #expect(await text(world) != "old")
    }

    @Test(arguments: ["no-cache", "max-age=0, no-cache"])
    func requestThatWantsValidationGetsTheError(control: String) async {
        let world = CachedWorld()
        world.server
            .on("/x", .text("old", headers: ["Cache-Control": "max-age=60, stale-if-error=30"]), times: 1)
            .on("/x", .status(503))
        await world.send()
        #expect(await world.send(.get, "/x", ["Cache-Control": "\(control)"]).response?.httpStatus == 503)
    }

    @Test
    func timeoutIsAnError() async throws {
        let clock = VirtualClock()
        let world = CachedWorld { $0.clock = clock }
        world.server
            .on("/x", .text("old", headers: ["Cache-Control": "max-age=60, stale-if-error=30"]), times: 1)
            .on("/x", .silence)
        await world.send()
        world.pass(61)
        async let text = text(world)
        await clock.alarms(1, for: .timeout)
        clock.advance(by: 60)
        #expect(await text == "old")
    }

    @Test
    func requestMayPermitItToo() async {
        let world = CachedWorld()
        world.server.on("/x", .text("old", headers: ["Cache-Control": "max-age=60"]), times: 1).on("/x", .status(503))
        await world.send()
        world.pass(80)
        #expect(await text(world, .use, ["Cache-Control": "stale-if-error=30"]) == "old")
        #expect(await text(world) != "old")
    }

    @Test(arguments: [
        ("max-age=60, stale-if-error=30", 404, CachePolicy.use), ("max-age=60, stale-if-error=30", 501, .use),
        ("max-age=60, stale-if-error=30, must-revalidate", 503, .use), ("max-age=60", 503, .use),
        ("no-cache, stale-if-error=30", 503, .use), ("max-age=60, stale-if-error=30", 503, .revalidate),
        ("max-age=60, stale-if-error=30", 503, .reload),
    ])
    func otherErrorsAreTheServers(control: String, status: Int, policy: CachePolicy) async {
        let world = CachedWorld()
        world.server
            .on("/x", .text("old", headers: ["Cache-Control": "\(control)", "ETag": #""1""#]), times: 1)
            .on("/x", .status(status))
        await world.send()
        world.pass(61)
        #expect(await world.send(.get, "/x", [:], policy).response?.httpStatus == status)
    }

    @Test
    func cancelledRequestEndsCancelled() async {
        let world = CachedWorld()
        let gate = Gate()
        world.server
            .on("/x", .text("old", headers: ["Cache-Control": "max-age=60, stale-if-error=30"]), times: 1)
            .on("/x", .status(200).after(gate))
        await world.send()
        world.pass(61)
        let request = world.client.get("/x")
        await gate.arrivals(1)
        request.cancel()
        #expect(await request.ended().error?.isCancellation == true)
    }

    // MARK: Stored errors

    @Test
    func retryIsNotServedAStoredError() async {
        let world = CachedWorld { $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(0)) }
        world.server.on("/x", .status(503, headers: ["Cache-Control": "max-age=60"]), times: 1).on("/x", .text("a"))
        #expect(await text(world) == "a")
        #expect(world.server.requests.count == 2)
    }
}
