import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCore

struct HTTPDateTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)  // September 2026

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sun Nov 16 08:49:37 1994", 784_975_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
        ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
        ("Wed, 31 Dec 2025 23:59:60 GMT", 1_767_225_600), ("Mon, 01 Jan 1900 00:00:00 GMT", -2_208_988_800),
        ("Sunday, 01-Jan-76 00:00:00 GMT", 3_345_062_400), ("Sunday, 01-Jan-78 00:00:00 GMT", 252_460_800),
    ])
    func allThreeFormsAreRead(text: String, seconds: Int) {
        #expect(HTTPDate.date(text, now: now) == Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    @Test(arguments: [
        "", "soon", "120", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 0 Nov 1994 08:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 8:49 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 29 Feb 2023 00:00:00 GMT",
        "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 ::: GMT",
    ])
    func textThatIsNoDateIsNil(text: String) { #expect(HTTPDate.date(text, now: now) == nil) }
}
