import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// Cookies of responses that were under way when the jar was emptied, with every engine.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CookieGenerationTests {
    private let jar = CookieJar()

    @Test(arguments: Engine.allCases)
    func aResponseUnderWayBringsNoCookieBackAfterRemoveAll(engine: Engine) async throws {
        let latch = RawServer.Latch()
        let server = try RawServer { request in
            let response = RawServer.Reply.response(headers: ["Set-Cookie": "session=ALICE"])
            return request.path == "/feed"
                ? response.held(by: latch) : request.path == "/login" ? response : .response()
        }
        let client = try engine.client(server, jar: jar)
        await client.get("/login").ended()
        let feed = client.get("/feed")
        await server.wait(forRequests: 2)
        client.signOut()
        jar.removeAll()
        latch.open()
        #expect(await feed.ended().value != nil)
        await client.get("/after").ended()
        #expect(server.requests.map { $0[header: "Cookie"] } == [nil, "session=ALICE", nil])
        // The next sign-in is kept.
        await client.get("/login").ended()
        await client.get("/after").ended()
        #expect(server.requests.last?[header: "Cookie"] == "session=ALICE")
    }

    @Test(arguments: Engine.allCases)
    func aRedirectFollowedAfterRemoveAllBringsNoCookieBack(engine: Engine) async throws {
        let latch = RawServer.Latch()
        let server = try RawServer { request in
            switch request.path {
            case "/feed": .redirect(to: "/ticket?of=ALICE").held(by: latch)
            case "/ticket": .response(headers: ["Set-Cookie": "session=ALICE"])
            default: .response()
            }
        }
        let client = try engine.client(server, jar: jar)
        let feed = client.get("/feed")
        await server.wait(forRequests: 1)
        jar.removeAll()
        latch.open()
        #expect(await feed.ended().value != nil)
        await client.get("/after").ended()
        #expect(server.requests.last?[header: "Cookie"] == nil)
    }
}
