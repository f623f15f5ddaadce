import Foundation
import SimpleNetworkingFeatureSupport
import Testing

@Suite
struct CookieDateTests {
    @Test(arguments: [
        "Fri, 15 Jan 2027 08:00:00 GMT", "Friday, 15-Jan-27 08:00:00 GMT", "Fri Jan 15 08:00:00 2027",
        "8:0:0 15 january 027", "2027 Janus 15 08:00:00x", "15th 08:00:00 jan 2027", "15/Jan\\2027;08:00:00",
        "Fri 15 Jan 2027 08:00:00 09:00:00",
    ])
    func datesAreReadAsLenientlyAsTheyAreWritten(text: String) {
        #expect(CookieDate.date(text) == Date(timeIntervalSince1970: 1_800_000_000))
    }

    @Test(arguments: [
        "30 Feb 2027 08:00:00", "29 Feb 2027 08:00:00", "31 Apr 2027 08:00:00", "0 Jan 2027 08:00:00",
        "15 Jan 2027 08:00:60", "15 Jan 2027 08:60:00", "15 Jan 2027 24:00:00", "15 Jan 2027 08:00",
        "15 Jan 1600 08:00:00", "15 Jan 20270 08:00:00", "15 Jan 7 08:00:00", "15 2027 08:00:00",
        "015 Jan 2027 08:00:00",
        "١٥ Jan 2027 08:00:00", "15 Jan 2027 008:00:00", "",
    ])
    func textWithoutADateIsNil(text: String) {
        #expect(CookieDate.date(text) == nil)
    }

    @Test(arguments: [("69", 2069), ("70", 1970), ("99", 1999), ("00", 2000), ("070", 1970), ("1601", 1601)])
    func twoDigitYearsAreAround2000(text: String, year: Int) {
        #expect(CookieDate.date("1 Jan \(text) 00:00:00") == HTTPDate.date("Mon, 01 Jan \(year) 00:00:00 GMT"))
    }

    @Test(arguments: [("29 Feb 2028", true), ("29 Feb 1900", false), ("29 Feb 2000", true)])
    func leapDaysAreKnown(day: String, isDate: Bool) {
        #expect((CookieDate.date("\(day) 00:00:00") != nil) == isDate)
    }
}
