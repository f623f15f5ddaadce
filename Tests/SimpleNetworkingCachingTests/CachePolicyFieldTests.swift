import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// What `.reload` and `.revalidate` tell the caches between client and server (RFC 9111 §5.2.1).
@Suite(.timeLimit(.minutes(5)))
struct CachePolicyFieldTests {
    static let fields: [(CachePolicy, String?)] = [
        (.use, nil), (.none, nil), (.reload, "no-cache"), (.revalidate, "max-age=0"),
    ]

    @Test(arguments: fields, ["", "Cache-Control: max-age=60", "ETag: \"1\""])
    func thePolicyIsSentAsCacheControl(policy: (CachePolicy, String?), reply: String) async {
        let world = CachedWorld()
        world.reply(HTTPHeaders(lines: reply))
        _ = await world.end()
        world.pass(120)
        _ = await world.end(.get, "/x", [:], policy.0)
        #expect(world.server.requests.map { $0.headers["Cache-Control"] } == [nil, policy.1])
    }

    @Test(arguments: fields)
    func itIsSentWithoutACacheAndByMethodsThatAreNotCachedToo(policy: CachePolicy, field: String?) async throws {
        let server = StubTransport().on("*", .status(200))
        let client = SimpleNetworking(host: "h") { $0.transport = server }
        _ = try await client.send(SimpleNetworking.get("/x").cachePolicy(policy))
        _ = try await client.send(SimpleNetworking.post("/x").cachePolicy(policy))
        let world = CachedWorld()
        world.reply([:])
        _ = await world.end(.post, "/x", [:], policy)
        for request in server.requests + world.server.requests { #expect(request.headers["Cache-Control"] == field) }
    }

    @Test(arguments: [CachePolicy.reload, .revalidate])
    func aFieldOfTheRequestsOwnWins(policy: CachePolicy) async {
        let world = CachedWorld()
        world.reply(["Cache-Control": "max-age=60"])
        _ = await world.end(.get, "/x", ["Cache-Control": "no-transform"], policy)
        #expect(world.server.requests.map { $0.headers["Cache-Control"] } == ["no-transform"])
    }

    @Test(arguments: [CachePolicy.reload, .revalidate])
    func reloadedResponseIsStoredForRequestsWithoutTheField(policy: CachePolicy) async {
        let world = CachedWorld()
        world.reply(["Cache-Control": "max-age=60", "Vary": "Cache-Control"])
        #expect(await world.end(.get, "/x", [:], policy) == .fetched)
        #expect(await world.end() == .hit)
    }

    @Test
    func everyRedirectCarriesIt() async throws {
        let server = StubTransport().on("/a", .redirect(to: "/b")).on("/b", .status(200))
        let client = SimpleNetworking(host: "h") { $0.transport = server }
        _ = try await client.send(SimpleNetworking.get("/a").cachePolicy(.reload))
        #expect(server.requests.map { $0.headers["Cache-Control"] } == ["no-cache", "no-cache"])
    }

    @Test
    func aCodingThatIsUnknownIsKeptWithItsName() async {
        let world = CachedWorld()
        world.reply(["Cache-Control": "max-age=60", "Content-Encoding": "rot13"])
        _ = await world.end()
        let (end, response) = await world.send()
        #expect(end == .hit && response?.headers["Content-Encoding"] == "rot13")
    }
}
