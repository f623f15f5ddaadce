import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// Responses to requests that were under way when the cache was emptied, with every engine.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CacheGenerationTests {
    private let cache = ResponseCache()

    @Test(arguments: Engine.allCases)
    func aRedirectFollowedAfterRemoveAllIsNotStored(engine: Engine) async throws {
        let latch = RawServer.Latch()
        let server = try RawServer { request in
            switch request.path {
            case "/feed": .redirect(to: "/alice").held(by: latch)
            default: .response(headers: ["Cache-Control": "max-age=600"], body: "Alice's")
            }
        }
        let client = try engine.client(server) { $0.cache = cache }
        let feed = client.get("/feed")
        await server.wait(forRequests: 1)
        client.signOut()
        await cache.removeAll()
        latch.open()
        #expect(await feed.ended().value?.text == "Alice's")
        #expect(await cache.size().memory == 0)
        await client.get("/alice").ended()
        #expect(server.requests.map(\.path) == ["/feed", "/alice", "/alice"])
        // A request that begins afterwards stores what it gets.
        await client.get("/alice").ended()
        #expect(server.requests.count == 3)
    }

    /// The redirect of a form invalidates the page that it leads to, and the page is then stored.
    @Test(arguments: Engine.allCases)
    func aPageThatAFormLeadsBackToIsStored(engine: Engine) async throws {
        let server = try RawServer { request in
            request.method == "POST"
                ? .response(status: 303, headers: ["Location": "/notes"])
                : .response(headers: ["Cache-Control": "max-age=600"], body: "notes")
        }
        let client = try engine.client(server) { $0.cache = cache }
        await client.post("/notes") { $0.body(text: "new") }.ended()
        await client.get("/notes").ended()
        #expect(server.requests.map(\.method) == ["POST", "GET"])
    }
}
