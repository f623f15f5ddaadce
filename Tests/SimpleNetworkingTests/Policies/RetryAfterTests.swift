import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCore

/// The one function that reads `Retry-After`, by the server's own clock.
struct RetryAfterTests {
    private static let now = Date(timeIntervalSince1970: 784_111_777)

    private func retryAfter(_ fields: [(String, String)]) -> TimeInterval? {
        HTTPHeaders(fields: fields.map { HTTPHeaders.Field($0.0, $0.1) }).retryAfter(now: Self.now)
    }

    @Test(
        arguments: [
            ("0", 0), ("120", 120), ("1.5", 1.5), ("007", 7), (" 7 ", 7), ("99999999999999999999", 2_147_483_648),
            ("-1", nil), ("-1.5", nil), ("1,5", 1), ("", nil), ("soon", nil), ("1s", nil), ("5 seconds", nil),
            ("Sun, 06 Nov 1994 08:49:43 GMT", 6), ("Sunday, 06-Nov-94 08:49:43 GMT", 6),
            ("Sun Nov  6 08:49:43 1994", 6), ("sun, 06 nov 1994 08:49:43 gmt", 6),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 07:00:00 GMT", 0),
            ("Thu, 31 Dec 9999 23:59:59 GMT", 2_147_483_648), ("Sun, 32 Nov 1994 08:49:43 GMT", nil),
        ] as [(String, TimeInterval?)],
        [nil, "Sun, 06 Nov 1994 08:49:37 GMT", "never"]
    )
    func aValueIsReadOrIgnored(row: (text: String, seconds: TimeInterval?), date: String?) {
        #expect(retryAfter([("Retry-After", row.text)] + (date.map { [("Date", $0)] } ?? [])) == row.seconds)
    }

    @Test(arguments: [-86_400, -3600, -1, 0, 1, 3600, 1e9] as [TimeInterval])
    func aDateIsRelativeToTheDateOfTheResponse(offset: TimeInterval) {
        let server = Self.now + offset
        let format = HTTPDateFormat()
        #expect(retryAfter([("Date", format.text(server)), ("Retry-After", format.text(server + 6))]) == 6)
        #expect(retryAfter([("Date", format.text(server)), ("Retry-After", format.text(server + -6))]) == 0)
        #expect(retryAfter([("Date", format.text(server)), ("Retry-After", "6")]) == 6)
    }

    /// A cache has kept the response for a while.
    @Test(
        arguments: [("4", 6), ("0", 10), ("60", 0), ("old", 10), ("-4", 10), ("4, 9", 6)] as [(String, TimeInterval)]
    )
    func theAgeOfTheResponseIsPartOfTheServersTime(age: String, seconds: TimeInterval) {
        let fields = [("Date", "Sun, 06 Nov 1994 07:00:00 GMT"), ("Age", age)]
        #expect(retryAfter(fields + [("Retry-After", "Sun, 06 Nov 1994 07:00:10 GMT")]) == seconds)
        #expect(retryAfter(fields + [("Retry-After", "10")]) == 10)
    }

    @Test(
        arguments: [
            (["5", "7"], 5), (["7", "5"], 7), (["soon", "7"], 7), (["5, 7"], 5), (["soon, 7"], 7),
            (["Sun, 06 Nov 1994 08:49:43 GMT", "7"], 6),
            (["Sun, 06 Nov 1994 08:49:43 GMT, Sun, 06 Nov 1994 08:50:43 GMT"], 6), ([], nil), (["soon", "later"], nil),
        ] as [([String], TimeInterval?)]
    )
    func theFirstValueThatCanBeReadApplies(values: [String], seconds: TimeInterval?) {
        #expect(retryAfter(values.map { ("Retry-After", $0) }) == seconds)
        // An engine may have joined several dates of the response, too.
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(retryAfter(values.map { ("Retry-After", $0) } + [("Date", "\(date), \(date)")]) == seconds)
    }

    @Test(
        arguments: [
            ("1500", 1.5), ("0", 0), ("0.5", 0.0005), ("-1", 7), ("soon", 7), ("", 7), ("1e3", 7),
            ("99999999999999999999", 2_147_483_648),
        ] as [(String, TimeInterval)]
    )
    func millisecondsTakePrecedenceIfTheyCanBeRead(text: String, seconds: TimeInterval) {
        #expect(retryAfter([("Retry-After", "7"), ("Retry-After-Ms", text)]) == seconds)
    }
}
