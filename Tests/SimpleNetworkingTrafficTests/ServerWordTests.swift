import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTraffic

/// What a response says about further requests, in the fields that servers use.
@Suite(.timeLimit(.minutes(1)))
struct ServerWordTests {
    /// Status, fields, and what they mean; a number may be a moment or seconds from now (zalando #379).
    static let rows: [(Int, [String: String], RateLimitHint?)] = [
        (200, [:], nil), (429, [:], .wait(1)), (503, [:], nil),
        (429, ["Retry-After": "120"], .wait(120)), (503, ["Retry-After": "7"], .wait(7)),
        (200, ["Retry-After": "120"], nil), (301, ["Retry-After": "1"], nil),
        (429, ["Retry-After": "-1"], .wait(1)), (429, ["Retry-After": "soon"], .wait(1)),
        (429, ["Retry-After": "Sun, 06 Nov 1994 08:50:37 GMT"], .wait(60)),
        (429, ["Retry-After": "Sun, 06 Nov 1994 08:40:37 GMT"], .wait(0)),
        // `Retry-After` wins over everything.
        (429, ["Retry-After": "5", "RateLimit": #""a";r=0;t=90"#, "X-RateLimit-Reset": "80"], .wait(5)),
        // The draft's fields.
        (200, ["RateLimit": #""default";r=50;t=30"#], .remaining(50, within: 30)),
        (200, ["RateLimit": #""a";r=0;t=5, "b";r=9;t=900"#], .remaining(0, within: 5)),
        (200, ["RateLimit": #""a";r=0;t=5, "b";r=0;t=900"#], .remaining(0, within: 900)),
        (200, ["RateLimit": #""a";r=7;t=5, "b";r=3;t=900"#], .remaining(3, within: 900)),
        (200, ["RateLimit": #""permin";r=3"#, "RateLimit-Policy": #""permin";q=50;w=60"#], .remaining(3, within: 60)),
        (429, ["RateLimit": #""a";r=0;t=5"#], .wait(5)), (429, ["RateLimit": #""a";r=3;t=5"#], .wait(5)),
        (
            200, ["RateLimit": #""a";r=1;t=9, "b";r=9;t=9"#, "RateLimit-Policy": #""a";q=9;qu="content-bytes""#],
            .remaining(9, within: 9)
        ),
        (200, ["RateLimit": #""a";r=1;t=9"#, "RateLimit-Policy": #""a";q=9;qu="concurrent-requests""#], nil),
        (
            200, ["RateLimit": #""a";r=1;t=9;pk=:cHNzdA==:"#, "RateLimit-Policy": #""a";q=9;qu="requests""#],
            .remaining(1, within: 9)
        ),
        (200, ["RateLimit": "limit=100, remaining=50, reset=5"], nil), (200, ["RateLimit": #""a";r=-1;t=9"#], nil),
        (200, ["RateLimit": #""a";r=1.5;t=9"#], nil), (200, ["RateLimit": #""a";r=1;t=9,"#], nil),
        (200, ["RateLimit": #""a";r=1"#], nil), (200, ["RateLimit": ""], nil),
        // Those without a standard: seconds, or a moment.
        (200, ["X-RateLimit-Remaining": "9", "X-RateLimit-Reset": "60"], .remaining(9, within: 60)),
        (200, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1445412537"], .remaining(0, within: 661_300_760)),
        (200, ["X-RateLimit-Remaining": "9"], nil), (200, ["X-RateLimit-Reset": "60"], nil),
        (200, ["X-RateLimit-Remaining": "many", "X-RateLimit-Reset": "60"], nil),
        (429, ["X-RateLimit-Remaining": "9", "X-RateLimit-Reset": "60"], .wait(60)),
        // A 403 with `Retry-After` is GitHub's secondary limit; without it, only a remaining number counts.
        (403, ["Retry-After": "60"], .wait(60)), (403, ["Retry-After": "60", "X-RateLimit-Remaining": "9"], .wait(60)),
        (403, [:], nil), (403, ["Retry-After": "soon"], nil), (403, ["X-RateLimit-Reset": "60"], nil),
        (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "60"], .remaining(0, within: 60)),
        (403, ["X-RateLimit-Remaining": "9", "X-RateLimit-Reset": "60"], .remaining(9, within: 60)),
        (401, ["Retry-After": "60"], nil), (500, ["Retry-After": "60"], nil),
        // Fractions and milliseconds.
        (429, ["Retry-After": "1.5"], .wait(1.5)), (429, ["Retry-After-Ms": "1500"], .wait(1.5)),
        (503, ["retry-after-ms": "250", "Retry-After": "1"], .wait(0.25)),
        (429, ["retry-after-ms": "soon", "Retry-After": "7"], .wait(7)),
        (429, ["retry-after-ms": "-1"], .wait(1)), (200, ["retry-after-ms": "250"], nil),
        // Other spellings.
        (200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "30"], .remaining(0, within: 30)),
        (200, ["X-Rate-Limit-Remaining": "0", "X-Rate-Limit-Reset": "1445412537"], .remaining(0, within: 661_300_760)),
        (200, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "1.25"], .remaining(0, within: 1.25)),
        (
            200, ["X-RateLimit-Remaining": "3", "X-RateLimit-Reset-After": "2.5", "X-RateLimit-Reset": "784111999.5"],
            .remaining(3, within: 2.5)
        ),
        (
            200, ["x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s"],
            .remaining(0, within: 360)
        ),
        (200, ["x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1s"], .remaining(0, within: 1)),
        (
            200, ["x-ratelimit-remaining-requests": "2", "x-ratelimit-reset-requests": "20ms"],
            .remaining(2, within: 0.02)
        ),
        (
            200, ["x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1h2m3.5s"],
            .remaining(0, within: 3723.5)
        ),
        // A number of tokens is no number of requests.
        (200, ["x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s"], nil),
        (200, ["RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"], .remaining(0, within: 30)),
        (200, ["X-RateLimit-Remaining": "0", "RateLimit-Reset": "30"], .remaining(0, within: 30)),
        (429, ["RateLimit-Reset": "30"], .wait(30)), (429, ["X-RateLimit-Reset-After": "0.5"], .wait(0.5)),
        // Dates and moments.
        (
            200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "Sun, 06 Nov 1994 08:50:07 GMT"],
            .remaining(0, within: 30)
        ),
        (200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "1994-11-06T08:50:07Z"], .remaining(0, within: 30)),
        (200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "1445412537000"], .remaining(0, within: 661_300_760)),
        (200, ["RateLimit-Remaining": " 0 ", "RateLimit-Reset": " 30 "], .remaining(0, within: 30)),
        // Nonsense.
        (200, ["RateLimit-Remaining": "-1", "RateLimit-Reset": "30"], nil),
        (200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "-30"], nil),
        (200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "nan"], nil),
        (200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "1e3"], nil),
        (200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "6m0"], nil),
        (200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "m"], nil),
        (200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "s1"], nil),
        (200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "1 s"], nil),
        (200, ["RateLimit-Remaining": "none", "RateLimit-Reset": "30"], nil), (200, ["RateLimit-Remaining": "0"], nil),
        // Of several limits, the exhausted one.
        (
            200,
            [
                "RateLimit-Remaining": "5", "RateLimit-Reset": "9", "X-RateLimit-Remaining": "0",
                "X-RateLimit-Reset": "90",
            ], .remaining(0, within: 90)
        ),
    ]

    @Test(arguments: rows)
    func aResponseSaysSo(status: Int, fields: [String: String], word: RateLimitHint?) {
        var headers = HTTPHeaders(fields)
        headers["Date"] = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(RateLimitHint(status: status, headers) == word)
    }

    @Test(arguments: [429, 503, 403], [-3600, 3600] as [TimeInterval])
    func retryAfterIsReadByTheServersOwnClock(status: Int, offset: TimeInterval) {
        let server = Date(timeIntervalSince1970: 1_800_000_000 + offset)
        let headers: HTTPHeaders = [
            "Date": HTTPDateFormat().text(server), "Retry-After": HTTPDateFormat().text(server + 6),
        ]
        #expect(RateLimitHint(status: status, headers) == .wait(6))
    }

    @Test(arguments: [-90, 0, 90] as [TimeInterval], ["", "000"])
    func aMomentIsReadByTheServersOwnClock(offset: TimeInterval, milliseconds: String) {
        let headers: HTTPHeaders = [
            "Date": HTTPDateFormat().text(Date(timeIntervalSince1970: 1_800_000_000 + offset)),
            "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "\(1_800_000_030 + Int(offset))\(milliseconds)",
        ]
        let word = RateLimitHint(status: 200, headers)
        #expect(word == .remaining(0, within: 30))
    }

    /// A moment in the past stalled requests for 300 s (coral #89).
    @Test func aMomentThatIsPastMeansNoWait() {
        let headers: HTTPHeaders = [
            "Date": "Sun, 06 Nov 2044 08:49:37 GMT", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1445412537",
        ]
        let word = RateLimitHint(status: 200, headers)
        #expect(word == .remaining(0, within: 0))
    }
}
