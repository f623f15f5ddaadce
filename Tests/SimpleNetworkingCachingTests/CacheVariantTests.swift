import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// Several responses of one URL (RFC 9111 §4.1), and their end (§4.4).
@Suite(.timeLimit(.minutes(5)))
struct CacheVariantTests {
    private func world(vary: String) -> CachedWorld {
        let world = CachedWorld { $0.sharedHeaders = ["X-Number", "X-Other"] }
        world.reply(["Cache-Control": "max-age=60", "Vary": vary])
        return world
    }

    @Test(arguments: [
        ("Accept-Language: de", "Accept-Language: de", true),
        ("Accept-Language: de", "accept-language: de", true),
        ("Accept-Language: de, EN", "Accept-Language: DE,en", true),
        ("Accept-Language: de", "Accept-Language: en", false),
        ("Accept-Language: de", "", false),
        ("", "Accept-Language: de", false),
        ("", "X-Other: 1", true),
        ("Accept-Language: de, en", "Accept-Language: de,en", true),
        ("Accept-Language: de, en", "Accept-Language: en, de", false),
        ("X-Other: 1", "X-Other: 2", true),
    ])
    func aResponseFitsWhereWhatItVariesWithIsTheSame(first: String, second: String, fits: Bool) async {
        let world = world(vary: "Accept-Language")
        await world.send(.get, "/x", HTTPHeaders(lines: first))
        #expect(await world.end(.get, "/x", HTTPHeaders(lines: second)) == (fits ? .hit : .fetched))
    }

    /// Only the values of `Accept-…` fields, such as languages and charsets, are the same in any case.
    @Test
    func valuesOfOtherFieldsDifferInCase() async {
        let world = world(vary: "X-Number")
        await world.send(.get, "/x", ["X-Number": "a"])
        #expect(await world.end(.get, "/x", ["X-Number": "A"]) == .fetched)
        #expect(await world.end(.get, "/x", ["X-Number": "a"]) == .hit)
    }

    @Test
    func severalVariantsAreKeptAtOnce() async {
        let world = world(vary: "Accept-Language, X-Size")
        for (language, size) in [("de", "1"), ("en", "1"), ("de", "2")] {
            #expect(await world.end(.get, "/x", ["Accept-Language": language, "X-Size": size]) == .fetched)
        }
        for (language, size, text) in [("de", "1", "1"), ("en", "1", "2"), ("de", "2", "3")] {
            let hit = await world.send(.get, "/x", ["Accept-Language": language, "X-Size": size])
            #expect(hit.end == .hit && hit.response?.text == text)
        }
    }

    @Test
    func oldestVariantsAreEvicted() async {
        let world = world(vary: "X-Number")
        for number in 0..<20 { await world.send(.get, "/x", ["X-Number": "\(number)"]) }
        #expect(await world.end(.get, "/x", ["X-Number": "12"]) == .hit)
        #expect(await world.end(.get, "/x", ["X-Number": "11"]) == .fetched)
    }

    @Test
    func whatCameLastFitsWhereTwoWould() async {
        let world = CachedWorld()
        world.server
            .on("/x", .text("any", headers: ["Cache-Control": "max-age=60"]), times: 1)
            .on("/x", .text("de", headers: ["Cache-Control": "max-age=60", "Vary": "Accept-Language"]))
        await world.send()
        world.pass(1)
        await world.send(.get, "/x", ["Accept-Language": "de"], .reload)
        #expect(await world.send(.get, "/x", ["Accept-Language": "de"]).response?.text == "de")
    }

    @Test(arguments: [true, false])
    func theNewerOfTwoStoredResponsesThatFitIsGiven(isFromDisk: Bool) async {
        let folder = ScratchFolder()
        let world = CachedWorld(folder: folder.url)
        world.server
            .on("/x", .text("de", headers: ["Cache-Control": "max-age=60", "Vary": "Accept-Language"]), times: 1)
            .on("/x", .text("any", headers: ["Cache-Control": "max-age=60"]))
        await world.send(.get, "/x", ["Accept-Language": "de"])
        world.pass(1)
        await world.send()
        #expect(await world.cache.size().disk > 0)
        let asking = isFromDisk ? CachedWorld(folder: folder.url) : world
        asking.pass(1)
        let hit = await asking.send(.get, "/x", ["Accept-Language": "de"])
        #expect(hit.end == .hit && hit.response?.text == "any")
    }

    @Test(arguments: [
        ("/x", "/x", true), ("/x", "/x#part", true), ("/x", "/X", false), ("/x?a=1", "/x?a=1", true),
        ("/x?a=1", "/x?a=2", false), ("/x", "https://API.example.com:443/x", true),
        ("/x", "https://api.example.com:444/x", false), ("/x", "http://api.example.com/x", false),
    ])
    func aResponseIsThatOfItsURL(first: String, second: String, isSame: Bool) async {
        let world = world(vary: "")
        await world.send(.get, first)
        #expect(await world.end(.get, second) == (isSame ? .hit : .fetched))
    }

    @Test(arguments: [
        (HTTPMethod.post, 200, true), (.post, 201, true), (.put, 204, true), (.delete, 204, true), (.patch, 200, true),
        (.post, 303, true), ("MKCALENDAR", 201, true), (.post, 400, false), (.post, 409, false), (.delete, 500, false),
        (.get, 200, false), (.head, 200, false), (.options, 200, false), (.trace, 200, false),
    ])
    func anUnsafeMethodThatSucceedsEndsWhatIsStored(method: HTTPMethod, status: Int, ends: Bool) async {
        let world = CachedWorld { $0.redirectPolicy = .never }
        world.server.on(method, "/x", .status(status), times: method == .get ? 0 : nil)
            .on(.get, "/x", .text("a", headers: ["Cache-Control": "max-age=60"]))
        await world.send()
        await world.send(method)
        #expect(await world.end() == (ends ? .fetched : .hit))
    }

    @Test(arguments: [
        ("Location", "/x", true), ("Content-Location", "x", true), ("Location", "https://api.example.com/x", true),
        ("Location", "https://other.example/x", false), ("Location", "http://api.example.com/x", false),
        ("Link", "/x", false),
    ])
    func whatItNamesOfTheSameOriginEndsToo(field: String, value: String, ends: Bool) async {
        let world = CachedWorld()
        world.server.on(.post, "/make", .status(201, headers: HTTPHeaders([field: value])))
            .on(.get, "/x", .text("a", headers: ["Cache-Control": "max-age=60"]))
        let other = value.hasPrefix("http") ? value : "/x"
        await world.send(.get, other)
        await world.send(.post, "/make")
        #expect(await world.end(.get, other) == (ends ? .fetched : .hit))
    }

    @Test
    func itEndsForAllVariantsAndAllAccounts() async {
        let world = world(vary: "Accept-Language")
        let requested: [HTTPHeaders] = [
            ["Accept-Language": "de"], ["Accept-Language": "en"], ["Authorization": "Bearer b"],
        ]
        for headers in requested { await world.send(.get, "/x", headers) }
        for headers in requested { #expect(await world.end(.get, "/x", headers) == .hit) }
        await world.send(.delete)
        for headers in requested { #expect(await world.end(.get, "/x", headers) == .fetched) }
    }

    @Test(arguments: [CachePolicy.use, .none, .reload])
    func responsesInFlightDuringRemovalAreNotStored(policy: CachePolicy) async throws {
        let world = CachedWorld()
        let gate = Gate()
        world.server.on(.get, "/x", .text("before", headers: ["Cache-Control": "max-age=60"]).after(gate), times: 1)
            .on(.post, "/x", .status(204))
            .on(.get, "/x", .text("after", headers: ["Cache-Control": "max-age=60"]))
        async let early = world.send()
        await gate.arrivals(1)
        await world.send(.post, "/x", [:], policy)
        gate.open()
        #expect(await early.response?.text == "before")
        #expect(await world.send().response?.text == "after")
    }
}
