import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// Parts of stored responses (RFC 9110 §14.2).
@Suite(.timeLimit(.minutes(5)))
struct CacheRangeTests {
    private func world(_ headers: HTTPHeaders = [:]) async -> CachedWorld {
        let world = CachedWorld()
        var headers = headers
        headers["Cache-Control"] = "max-age=60"
        world.server.on("/x", .text("0123456789", headers: headers), times: 1)
            .on("/x", StubResponse(status: 206, headers: ["Content-Range": "bytes 0-1/3"], body: Data("ab".utf8)))
        await world.send()
        return world
    }

    @Test(arguments: [
        ("bytes=0-1", "01", "bytes 0-1/10"), ("bytes=7-", "789", "bytes 7-9/10"), ("bytes=-3", "789", "bytes 7-9/10"),
        ("bytes=8-99", "89", "bytes 8-9/10"),
    ])
    func partOfAFreshResponseIsServed(range: String, text: String, part: String) async {
        let hit = await world().send(.get, "/x", ["Range": range])
        #expect(hit.end == .hit && hit.response?.httpStatus == 206 && hit.response?.text == text)
        #expect(hit.response?.headers["Content-Range"] == part)
        #expect(hit.response?.headers["Content-Length"] == "\(text.count)")
    }

    @Test(arguments: [
        "Range: bytes=10-", "Range: bytes=0-1,4-5", "Range: lines=0-1", #"Range: bytes=0-1 | If-Range: "1""#,
    ])
    func serverDecidesAboutOtherRanges(request: String) async {
        let world = await world()
        let response = await world.send(.get, "/x", HTTPHeaders(lines: request))
        #expect(response.end == .fetched && response.response?.text == "ab")
        // The part doesn't replace the whole.
        #expect(await world.send().response?.text == "0123456789")
    }

    @Test
    func staleResponseAndCodedContentGiveNoPart() async {
        let stale = await world(["ETag": #""1""#])
        stale.pass(61)
        let coded = await world(["Content-Encoding": "rot13"])
        for world in [stale, coded] {
            #expect(await world.end(.get, "/x", ["Range": "bytes=0-1"]) == .fetched)
            #expect(world.server.requests.last?.headers.contains("If-None-Match") == false)
        }
    }

    @Test
    func headHasNoParts() async {
        #expect(await world().end(.head, "/x", ["Range": "bytes=0-1"]) == .fetched)
    }
}
