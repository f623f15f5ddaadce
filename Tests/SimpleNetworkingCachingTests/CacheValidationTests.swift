import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// Revalidation of stored responses (RFC 9111 §4.3).
@Suite(.timeLimit(.minutes(5)))
struct CacheValidationTests {
    @Test(
        arguments: [
            (#"ETag: "1""#, #""1""#, nil),
            (#"ETag: W/"1""#, #"W/"1""#, nil),
            ("Last-Modified: Fri, 15 Jan 2027 07:00:00 GMT", nil, "Fri, 15 Jan 2027 07:00:00 GMT"),
            (
                #"ETag: "1" | Last-Modified: Fri, 15 Jan 2027 07:00:00 GMT"#, #""1""#, "Fri, 15 Jan 2027 07:00:00 GMT"
            ),
        ] as [(String, String?, String?)]
    )
    func theValidatorsOfTheStoredResponseAreSent(reply: String, tag: String?, modified: String?) async {
        let world = CachedWorld()
        world.reply(HTTPHeaders(lines: reply + " | Cache-Control: max-age=60"))
        await world.send()
        world.pass(61)
        await world.send()
        let requested = world.server.requests.last?.headers
        #expect(requested?["If-None-Match"] == tag && requested?["If-Modified-Since"] == modified)
    }

    @Test
    func a304YieldsTheStoredContentWithTheNewFieldsAndMakesItFreshAgain() async {
        let world = CachedWorld()
        world.reply(
            ["Cache-Control": "max-age=60", "ETag": #""1""#, "X-Old": "old", "Content-Type": "text/plain", "Age": "5"],
            validating: [
                "Cache-Control": "max-age=100", "X-New": "new", "X-Old": "newer", "Content-Length": "0",
                "Connection": "X-Hop", "X-Hop": "1",
            ]
        )
        await world.send()
        world.pass(61)
        let second = await world.send()
        #expect(second.end == .revalidated)
        #expect(second.response?.httpStatus == 200 && second.response?.text == "1")
        let headers = second.response?.headers ?? [:]
        #expect(headers["X-Old"] == "newer" && headers["X-New"] == "new" && headers["Content-Type"] == "text/plain")
        #expect(headers["Content-Length"] == nil && headers["X-Hop"] == nil && headers["Age"] == nil)
        world.pass(99)
        #expect(await world.end() == .hit)
        world.pass(2)
        #expect(await world.end() == .revalidated)
    }

    @Test
    func a200ReplacesWhatIsStored() async {
        let world = CachedWorld()
        world.server.on("/x", .text("old", headers: ["Cache-Control": "max-age=60", "ETag": #""1""#]), times: 1)
            .on("/x", .text("new", headers: ["Cache-Control": "max-age=60", "ETag": #""2""#]))
        await world.send()
        world.pass(61)
        #expect(await world.send().end == .fetched)
        let third = await world.send()
        #expect(third.end == .hit && third.response?.text == "new")
    }

    @Test(arguments: [
        (#""1""#, #""2""#, false), (#"W/"1""#, #""1""#, true), (#""1""#, #"W/"1""#, true),
        (#"W/"1""#, #"W/"2""#, false),
    ])
    func a304ThatSpeaksOfAnotherResponseIsNotTaken(stored: String, confirmed: String, isTaken: Bool) async {
        let world = CachedWorld()
        world.reply(["Cache-Control": "max-age=60", "ETag": stored], validating: ["ETag": confirmed])
        await world.send()
        world.pass(61)
        let second = await world.send()
        #expect(second.end == (isTaken ? .revalidated : .fetched))
        #expect(second.response?.httpStatus == 200 && second.response?.text == (isTaken ? "1" : "2"))
        #expect(world.server.requests.count == (isTaken ? 2 : 3))
    }

    @Test
    func a304ThatForbidsStoringIsTheLastUseOfTheResponse() async {
        let world = CachedWorld()
        world.reply(["Cache-Control": "max-age=60", "ETag": #""1""#], validating: ["Cache-Control": "no-store"])
        await world.send()
        world.pass(61)
        #expect(await world.end() == .revalidated)
        #expect(await world.end(.get, "/x", [:], .onlyCached) == .notCached)
    }

    @Test
    func aResponseThatMustNotBeStoredReplacesTheOneThatWas() async {
        let world = CachedWorld()
        world.server.on("/x", .text("old", headers: ["Cache-Control": "max-age=60"]), times: 1)
            .on("/x", .text("new", headers: ["Cache-Control": "no-store"]))
        await world.send()
        #expect(await world.end(.get, "/x", [:], .reload) == .fetched)
        #expect(await world.end(.get, "/x", [:], .onlyCached) == .notCached)
    }

    @Test(arguments: [500, 503])
    func anErrorOfTheServerLeavesWhatIsStored(status: Int) async {
        let world = CachedWorld()
        world.server.on("/x", .text("old", headers: ["Cache-Control": "max-age=60", "ETag": #""1""#]), times: 1)
            .on("/x", .status(status))
        await world.send()
        world.pass(61)
        #expect(await world.send().response?.httpStatus == status)
        #expect(await world.end(.get, "/x", [:], .onlyCached) == .hit)
    }

    @Test(arguments: ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since"])
    func aConditionOfTheCallersGoesToTheServer(name: String) async {
        let world = CachedWorld { $0.acceptableStatuses = [200, 304] }
        world.server.on("/x", .text("a", headers: ["Cache-Control": "max-age=60", "ETag": #""1""#]), times: 1)
            .on("/x", .status(304))
        await world.send()
        let own = await world.send(.get, "/x", [name: #""mine""#])
        #expect(own.end == .fetched)
        #expect(own.response?.httpStatus == 304 && own.response?.data.isEmpty == true)
        #expect(world.server.requests.last?.headers[name] == #""mine""#)
        #expect(await world.end() == .hit)
    }

    @Test
    func cachedResponseHasAnAgeField() async {
        let world = CachedWorld()
        world.reply(["Cache-Control": "max-age=60", "Age": "7"])
        await world.send()
        world.pass(5)
        #expect(await world.send().response?.headers["Age"] == "12")
    }

    /// RFC 9111 §4.2.3: the response may have been made when the request was sent.
    @Test
    func timeFromRequestToResponseCountsAsAge() async {
        let world = CachedWorld()
        world.server.on("*") { _ in
            world.pass(10)
            return StubResponse(headers: ["Cache-Control": "max-age=60", "Age": "5"], body: Data("1".utf8))
        }
        await world.send()
        #expect(await world.send().response?.headers["Age"] == "15")
    }

    @Test
    func cachedResponseHasAllFieldsButCookiesAndThoseOfTheConnection() async {
        let world = CachedWorld()
        world.reply([
            "Cache-Control": "max-age=60", "X-Own": "1", "Clear-Site-Data": "cookies", "Set-Cookie2": "a=1",
            "Set-Cookie": "a=1", "Connection": "X-Hop", "X-Hop": "1", "Keep-Alive": "5", "Upgrade": "h2c",
        ])
        await world.send()
        let hit = await world.send()
        let names = ["Cache-Control", "X-Own", "Clear-Site-Data", "Set-Cookie2", "Age"]
        #expect(hit.end == .hit && hit.response.map { Set($0.headers.names) } == Set(names))
    }

    @Test
    func headIsServedFromAFreshGetWithoutContent() async {
        let world = CachedWorld()
        world.reply(["Cache-Control": "max-age=60", "ETag": #""1""#])
        #expect(await world.end(.head) == .fetched)
        #expect(await world.end(.head) == .fetched)
        await world.send()
        let hit = await world.send(.head)
        #expect(hit.end == .hit && hit.response?.data.isEmpty == true && hit.response?.headers["ETag"] == #""1""#)
        world.pass(61)
        #expect(await world.end(.head) == .fetched)
        #expect(world.server.requests.last?.headers["If-None-Match"] == nil)
        #expect(await world.end() == .revalidated)
    }

    @Test
    func aResponseAboveTheRequestsLimitIsNotGiven() async {
        let world = CachedWorld()
        world.server.on("/x", .text("four", headers: ["Cache-Control": "max-age=60"]))
        await world.send()
        #expect(await world.end() == .hit)
        let strict = SimpleNetworking(over: world.server) {
            $0.cache = world.cache
            $0.maxResponseSize = 3
        }
        let error = await strict.get("/x").ended().error
        #expect(world.server.requests.count == 2)
        if case .tooLarge = error {} else { Issue.record("it ended with \(String(describing: error))") }
    }
}
