import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// One rule: a response came, some time passed, and the same request was made again.
struct CacheRule: Sendable, CustomTestStringConvertible {
    let section: String
    let reply: String
    var status = 200
    let after: TimeInterval
    var request = ""
    var policy = CachePolicy.use
    let end: CachedWorld.End

    init(
        _ section: String,
        _ reply: String,
        status: Int = 200,
        after: TimeInterval = 10,
        request: String = "",
        policy: CachePolicy = .use,
        _ end: CachedWorld.End
    ) {
        self.section = section
        self.reply = reply
        self.status = status
        self.after = after
        self.request = request
        self.policy = policy
        self.end = end
    }

    var testDescription: String {
        "\(section) \(status) “\(reply)”, after \(Int(after)) s “\(request)” (\(policy)): \(end)"
    }
}

@Suite(.timeLimit(.minutes(5)))
struct CacheRulesTests {
    /// Which responses may be stored (RFC 9111 §3).
    static let storing: [CacheRule] = [
        .init("§3", "", .fetched),
        .init("§3", "Cache-Control: max-age=60", .hit),
        .init("§3", "Cache-Control: max-age=60", status: 203, .hit),
        .init("§3", "Cache-Control: max-age=60", status: 204, .hit),
        .init("§3", "Cache-Control: max-age=60", status: 300, .hit),
        .init("§3", "Cache-Control: max-age=60", status: 301, .hit),
        .init("§3", "Cache-Control: max-age=60", status: 302, .hit),
        .init("§3", "Cache-Control: max-age=60", status: 307, .hit),
        .init("§3", "Cache-Control: max-age=60", status: 308, .hit),
        .init("§3", "Cache-Control: max-age=60", status: 403, .hit),
        .init("§3", "Cache-Control: max-age=60", status: 404, .hit),
        .init("§3", "Cache-Control: max-age=60", status: 405, .hit),
        .init("§3", "Cache-Control: max-age=60", status: 410, .hit),
        .init("§3", "Cache-Control: max-age=60", status: 414, .hit),
        .init("§3", "Cache-Control: max-age=60", status: 501, .hit),
        .init("§3", "Cache-Control: max-age=60", status: 299, .hit),
        .init("§3", "Cache-Control: max-age=60", status: 400, .hit),
        .init("§3", "Cache-Control: max-age=60", status: 500, .hit),
        .init("§3", "Cache-Control: max-age=60", status: 503, .hit),
        .init("§3", "Expires: Fri, 15 Jan 2027 08:01:00 GMT", status: 599, .hit),
        .init("§3 (no final status)", "Cache-Control: max-age=60", status: 600, .fetched),
        .init("§3 (an error, and no lifetime)", #"Cache-Control: private | ETag: "1""#, status: 500, .fetched),
        .init("§3 (it calls for a credential)", "Cache-Control: max-age=60", status: 401, .fetched),
        .init("§3 (it calls for a credential)", "Cache-Control: max-age=60", status: 407, .fetched),
        .init("RFC 6585 §3", "Cache-Control: max-age=60", status: 428, .fetched),
        .init("RFC 6585 §4", "Cache-Control: max-age=60", status: 429, .fetched),
        .init("RFC 6585 §5", "Cache-Control: max-age=60", status: 431, .fetched),
        .init("RFC 6585 §6", "Cache-Control: max-age=60", status: 511, .fetched),
        .init("§3.3", "Cache-Control: max-age=60", status: 206, .fetched),
        .init("§3", "Expires: Fri, 15 Jan 2027 08:01:00 GMT", .hit),
        .init("§3.5 (a private cache)", "Cache-Control: max-age=60", request: "Authorization: Bearer t", .hit),
        .init("§4.1", "Cache-Control: max-age=60 | Vary: *", .fetched),
        .init("§4.1", "Cache-Control: max-age=60 | Vary: Accept, *", .fetched),
        .init("§5.2.2.3", "Cache-Control: max-age=60, no-store, must-understand", .hit),
        .init("§5.2.2.3", "Cache-Control: max-age=60, no-store, must-understand", status: 299, .fetched),
        .init("§5.2.2.3", "Cache-Control: max-age=60, must-understand", status: 503, .fetched),
        .init("§5.2.2.5", "Cache-Control: max-age=60, no-store", .fetched),
        .init("§5.2.2.5", "Cache-Control: max-age=60 | Cache-Control: No-Store", .fetched),
        .init("§5.2.2.7", "Cache-Control: private, max-age=60", .hit),
        .init("§5.2.2.7", #"Cache-Control: private="x, no-store", max-age=60"#, .hit),
        .init("§5.2.2.9", "Cache-Control: public, max-age=60", .hit),
        .init("§5.2.2.10", "Cache-Control: s-maxage=60", .fetched),
        .init("§5.2.2.10", "Cache-Control: s-maxage=0, max-age=60", .hit),
        .init("§5.2.3", "Cache-Control: max-age=60, whatever=1", .hit),
        .init("§5.2.1.5", "Cache-Control: max-age=60", request: "Cache-Control: no-store", .fetched),
        .init("RFC 9110 §14.2", "Cache-Control: max-age=60", request: "Range: bytes=0-1", .fetched),
        .init("RFC 9112 §6.1", "Cache-Control: max-age=60 | Transfer-Encoding: chunked", .hit),
        .init("RFC 9112 §6.1", "Cache-Control: max-age=60 | Transfer-Encoding: CHUNKED | Transfer-Encoding: ", .hit),
        .init("RFC 9112 §6.1", "Cache-Control: max-age=60 | Transfer-Encoding: gzip, chunked", .fetched),
        .init("RFC 9112 §6.1", "Cache-Control: max-age=60 | Transfer-Encoding: rot13", .fetched),
        .init("RFC 9110 §8.4", "Cache-Control: max-age=60 | Content-Encoding: rot13", .hit),
        .init("§4.2 (an unclosed quote)", #"Cache-Control: max-age=60, x="a, no-store"#, .fetched),
        .init("§4.2 (an unclosed quote)", #"Cache-Control: x="a\", no-store, max-age=60"#, .fetched),
        .init("§4.2 (an unclosed quote)", #"Cache-Control: x="a | Cache-Control: no-store, max-age=60"#, .fetched),
        .init("§4.2 (an escaped quote)", #"Cache-Control: x="a\", no-store", max-age=60"#, .hit),
        .init("§4.2 (an unclosed quote)", #"Cache-Control: x=", max-age=60"#, .hit),
    ]

    /// For how long they are fresh (RFC 9111 §4.2).
    static let freshness: [CacheRule] = [
        .init("§4.2", "Cache-Control: max-age=60", after: 59, .hit),
        .init("§4.2", "Cache-Control: max-age=60", after: 60, .fetched),
        .init("§4.2.1", #"Cache-Control: max-age="60""#, after: 59, .hit),
        .init("§4.2.1", "Cache-Control: MAX-AGE = 60", after: 59, .hit),
        .init("§4.2.1", "Cache-Control: max-age=60, max-age=600", after: 61, .fetched),
        .init("§4.2.1", "Cache-Control: max-age=60 | Expires: Fri, 15 Jan 2027 09:00:00 GMT", after: 61, .fetched),
        .init("§4.2.1", "Cache-Control: max-age=60 | Expires: Fri, 15 Jan 2027 07:00:00 GMT", after: 59, .hit),
        .init("§4.2.1 (invalid is stale)", "Cache-Control: max-age=soon", .fetched),
        .init("§4.2.1 (invalid is stale)", "Cache-Control: max-age=-5", .fetched),
        .init("§4.2.1 (invalid is stale)", "Cache-Control: max-age=60.5", .fetched),
        .init("§1.2.2", "Cache-Control: max-age=99999999999999999999", after: 86_400, .hit),
        .init("§5.3", "Expires: Fri, 15 Jan 2027 08:01:00 GMT", after: 61, .fetched),
        .init("§5.3", "Expires: 0", .fetched),
        .init("§5.3", "Expires: 0 | Last-Modified: Fri, 15 Jan 2027 07:00:00 GMT", .revalidated),
        .init("§5.3", "Expires: Friday, 15-Jan-27 08:01:00 GMT", .hit),
        .init("§5.3", "Expires: Fri Jan 15 08:01:00 2027", .hit),
        .init("§5.3", "Expires: FRI, 15 jAn 2027 08:01:00 gMT", .hit),
        .init("§5.3 (invalid is stale)", "Expires: Fri, 15 Jan 2027 08:01:00 UTC", .fetched),
        .init("§5.3 (invalid is stale)", "Expires: Fri, 15 Jan 2027 08:01:00 AEST", .fetched),
        .init("§5.3 (invalid is stale)", "Expires: Fri, 15 Jan 27 08:01:00 GMT", .fetched),
        .init("§5.3 (invalid is stale)", "Expires: Fri 15 Jan 2027 08:01:00 GMT", .fetched),
        .init("§5.3 (invalid is stale)", "Expires: Fri, 15  Jan  2027 08:01:00 GMT", .fetched),
        .init("§5.3 (invalid is stale)", "Expires: Fri, 15-Jan-2027 08:01:00 GMT", .fetched),
        .init("§5.3 (invalid is stale)", "Expires: Fri, 15 Jan 2027 08.01.00 GMT", .fetched),
        .init("§5.3 (invalid is stale)", "Expires: Fri, 15 Jan 2027 8:01:00 GMT", .fetched),
        .init("§5.3 (invalid is stale)", "Expires: 15 Jan 2027 08:01:00 GMT", .fetched),
        .init(
            "§5.3 (more than one is stale)",
            "Expires: Fri, 15 Jan 2027 08:01:00 GMT | Expires: Fri, 15 Jan 2027 08:02:00 GMT",
            .fetched
        ),
        .init(
            "§4.2.1 (the server's own clock)",
            "Date: Thu, 14 Jan 2027 08:00:00 GMT | Expires: Thu, 14 Jan 2027 08:01:00 GMT",
            .fetched
        ),
        .init("§4.2.2", "Last-Modified: Fri, 15 Jan 2027 07:00:00 GMT", after: 359, .hit),
        .init("§4.2.2", "Last-Modified: Fri, 15 Jan 2027 07:00:00 GMT", after: 361, .revalidated),
        .init("§4.2.2", "Last-Modified: Fri, 15 Jan 2027 07:00:00 GMT", status: 404, after: 359, .hit),
        .init("§4.2.2", "Last-Modified: Fri, 15 Jan 2027 07:00:00 GMT", status: 302, after: 1, .fetched),
        .init(
            "§4.2.2",
            "Cache-Control: public | Last-Modified: Fri, 15 Jan 2027 07:00:00 GMT",
            status: 302,
            after: 359,
            .hit
        ),
        .init(
            "§4.2.2",
            "Cache-Control: public | Last-Modified: Fri, 15 Jan 2027 07:00:00 GMT",
            status: 599,
            after: 359,
            .hit
        ),
        .init("§4.2.2", "Last-Modified: Fri, 15 Jan 2027 09:00:00 GMT", after: 1, .revalidated),
        .init("§4.2.3", "Cache-Control: max-age=60 | Age: 50", after: 9, .hit),
        .init("§4.2.3", "Cache-Control: max-age=60 | Age: 50", after: 11, .fetched),
        .init("§4.2.3", "Cache-Control: max-age=60 | Age: 50 | Age: 1", after: 11, .fetched),
        .init("§5.1", "Cache-Control: max-age=60 | Age: 7200, 0", .fetched),
        .init("§5.1", "Cache-Control: max-age=60 | Age: 0, 7200", .hit),
        .init("§5.1", "Cache-Control: max-age=60 | Age: 0 | Age: 7200", .hit),
        .init("§5.1", "Cache-Control: max-age=60 | Age: 7200;foo=bar", .fetched),
        .init("§5.1", "Cache-Control: max-age=60 | Age:  7200 ; foo=111, 0", .fetched),
        .init("§5.1 (what is no number is passed over)", "Cache-Control: max-age=60 | Age: 7200.0", .hit),
        .init("§5.1 (what is no number is passed over)", "Cache-Control: max-age=60 | Age: 7200abc", .hit),
        .init("§5.1 (what is no number is passed over)", "Cache-Control: max-age=60 | Age: -7200", .hit),
        .init("§5.1 (what is no number is passed over)", "Cache-Control: max-age=60 | Age: , 7200", .hit),
        .init("§4.2.3", "Cache-Control: max-age=60 | Date: Fri, 15 Jan 2027 07:59:10 GMT", after: 9, .hit),
        .init("§4.2.3", "Cache-Control: max-age=60 | Date: Fri, 15 Jan 2027 07:59:10 GMT", after: 11, .fetched),
        .init("§4.2.3", "Cache-Control: max-age=60 | Date: Fri, 15 Jan 2027 08:59:10 GMT", after: 59, .hit),
        .init("§4.2.3 (a clock that was set back)", "Cache-Control: max-age=60", after: -3600, .fetched),
        .init("§5.2.2.4", "Cache-Control: no-cache, max-age=60", .fetched),
        .init("§5.2.2.4", #"Cache-Control: no-cache, max-age=60 | ETag: "1""#, .revalidated),
        .init("§5.2.2.4", #"Cache-Control: no-cache="Set-Cookie", max-age=60 | ETag: "1""#, .revalidated),
        .init("§5.2.2.2", #"Cache-Control: must-revalidate, max-age=60 | ETag: "1""#, after: 59, .hit),
        .init("§4.3", #"Cache-Control: max-age=60 | ETag: "1""#, after: 61, .revalidated),
        .init("§4.3", #"Cache-Control: max-age=60 | ETag: W/"1""#, after: 61, .revalidated),
        .init("§4.3", #"ETag: "1""#, after: 0, .revalidated),
    ]

    /// What the request may demand (RFC 9111 §5.2.1).
    static let wishes: [CacheRule] = [
        .init("§5.2.1.1", "Cache-Control: max-age=60", after: 20, request: "Cache-Control: max-age=20", .hit),
        .init("§5.2.1.1", "Cache-Control: max-age=60", after: 21, request: "Cache-Control: max-age=20", .fetched),
        .init("§5.2.1.1", #"Cache-Control: max-age=60 | ETag: "1""#, request: "Cache-Control: max-age=0", .revalidated),
        .init("§5.2.1.2", "Cache-Control: max-age=60", after: 90, request: "Cache-Control: max-stale=30", .hit),
        .init("§5.2.1.2", "Cache-Control: max-age=60", after: 91, request: "Cache-Control: max-stale=30", .fetched),
        .init("§5.2.1.2", "Cache-Control: max-age=60", after: 9999, request: "Cache-Control: max-stale", .hit),
        .init("§5.2.1.2", "Cache-Control: max-age=60", after: 61, request: "Cache-Control: max-stale=x", .fetched),
        .init(
            "§5.2.2.2",
            "Cache-Control: max-age=60, must-revalidate",
            after: 61,
            request: "Cache-Control: max-stale",
            .fetched
        ),
        .init("§4.2.4", "Cache-Control: max-age=60, no-cache", request: "Cache-Control: max-stale", .fetched),
        .init("§5.2.1.3", "Cache-Control: max-age=60", after: 30, request: "Cache-Control: min-fresh=30", .hit),
        .init("§5.2.1.3", "Cache-Control: max-age=60", after: 31, request: "Cache-Control: min-fresh=30", .fetched),
        .init("§5.2.1.4", "Cache-Control: max-age=60", request: "Cache-Control: no-cache", .fetched),
        .init("§5.2.1.4", #"Cache-Control: max-age=60 | ETag: "1""#, request: "Cache-Control: no-cache", .revalidated),
        .init("§5.4", #"Cache-Control: max-age=60 | ETag: "1""#, request: "Pragma: no-cache", .revalidated),
        .init(
            "§5.4",
            "Cache-Control: max-age=60",
            request: "Pragma: no-cache | Cache-Control: max-age=60",
            .hit
        ),
        .init("§5.2.1.7", "Cache-Control: max-age=60", request: "Cache-Control: only-if-cached", .hit),
        .init(
            "§5.2.1.7",
            "Cache-Control: max-age=60",
            after: 61,
            request: "Cache-Control: only-if-cached",
            .notCached
        ),
        .init(
            "§5.2.1.7",
            "Cache-Control: max-age=60",
            after: 61,
            request: "Cache-Control: only-if-cached, max-stale=5",
            .hit
        ),
        .init("§5.2.1.7", "Cache-Control: no-store", request: "Cache-Control: only-if-cached", .notCached),
    ]

    /// What the policies of a request mean.
    static let policies: [CacheRule] = [
        .init("reload", "Cache-Control: max-age=60", policy: .reload, .fetched),
        .init("reload", #"Cache-Control: max-age=60 | ETag: "1""#, policy: .reload, .fetched),
        .init("revalidate", "Cache-Control: max-age=60", policy: .revalidate, .fetched),
        .init("revalidate", #"Cache-Control: max-age=60 | ETag: "1""#, policy: .revalidate, .revalidated),
        .init("RFC 8246", #"Cache-Control: max-age=60, immutable | ETag: "1""#, policy: .revalidate, .hit),
        .init(
            "RFC 8246",
            #"Cache-Control: max-age=60, immutable | ETag: "1""#,
            after: 61,
            policy: .revalidate,
            .revalidated
        ),
        .init("RFC 8246", #"Cache-Control: max-age=60, immutable | ETag: "1""#, policy: .reload, .fetched),
        .init("none", "Cache-Control: max-age=60", policy: .none, .fetched),
        .init("onlyCached", "Cache-Control: max-age=60", policy: .onlyCached, .hit),
        .init("onlyCached", "Cache-Control: max-age=60", after: 9999, policy: .onlyCached, .hit),
        .init("onlyCached", "Cache-Control: max-age=60, must-revalidate", after: 61, policy: .onlyCached, .notCached),
        .init("onlyCached", #"Cache-Control: max-age=60, no-cache | ETag: "1""#, policy: .onlyCached, .notCached),
        .init("onlyCached", "Cache-Control: no-store", policy: .onlyCached, .notCached),
        .init(
            "onlyCached",
            "Cache-Control: max-age=60",
            request: "Cache-Control: max-age=5",
            policy: .onlyCached,
            .notCached
        ),
    ]

    @Test(arguments: storing + freshness + wishes + policies)
    func theSecondRequestEndsAsTheRuleSays(rule: CacheRule) async {
        let world = CachedWorld { $0.redirectPolicy = .never }
        world.reply(HTTPHeaders(lines: rule.reply), status: rule.status)
        var headers = HTTPHeaders(lines: rule.request)
        let wishes = headers["Cache-Control"]
        if wishes != "no-store" { headers["Cache-Control"] = nil }
        headers["Pragma"] = nil
        #expect(await world.end(.get, "/x", headers) == .fetched)
        world.pass(rule.after)
        let second = await world.send(.get, "/x", HTTPHeaders(lines: rule.request), rule.policy)
        #expect(second.end == rule.end)
        guard rule.end == .hit || rule.end == .revalidated else { return }
        #expect(second.response?.httpStatus == rule.status)
        #expect(second.response?.text == "1")
    }

    @Test
    func thereAreAtLeastFiftyRules() {
        #expect(Self.storing.count + Self.freshness.count + Self.wishes.count + Self.policies.count >= 50)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, .options, "PROPFIND"])
    func onlyAGetIsStored(method: HTTPMethod) async {
        let world = CachedWorld()
        world.reply(["Cache-Control": "max-age=60"])
        for _ in 1...2 { #expect(await world.end(method) == .fetched) }
        #expect(await world.end() == .fetched)
    }
}
