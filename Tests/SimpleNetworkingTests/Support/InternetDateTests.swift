import Foundation
import SimpleNetworkingCore
import SimpleNetworkingForms
import Testing

/// Dates in JSON.
@Suite
struct InternetDateTests {
    private struct Event: Codable, Equatable { var at: Date }

    private func date(_ text: String) throws -> Date {
        try JSONDecoder.standard.decode(Event.self, from: Data(#"{"at": "\#(text)"}"#.utf8)).at
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-11-21T05:17:27Z", 1_795_238_247), ("1969-12-31T23:59:59Z", -1),
        ("0001-01-01T00:00:00Z", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
        // A blank or small letters are allowed too.
        ("2026-11-21 05:17:27Z", 1_795_238_247), ("2026-11-21t05:17:27z", 1_795_238_247),
        // Fractions.
        ("1970-01-01T00:00:00.5Z", 0.5), ("1970-01-01T00:00:00.123Z", 0.123), ("1970-01-01T00:00:00,25Z", 0.25),
        ("1970-01-01T00:00:01.123456789Z", 1.123456789), ("1970-01-01T00:00:00.000000000000000000001Z", 0),
        ("1969-12-31T23:59:59.75Z", -0.25),
        // Offsets.
        ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T19:00:00-05:00", 0), ("1970-01-01T05:45:00+05:45", 0),
        ("1970-01-01T02:00:00+02", 0), ("1969-12-31T19:00:00.5-05", 0.5), ("1970-01-01T00:00:00-00:00", 0),
        ("1970-01-01T01:00:00+0100", 0), ("1970-01-01T01:00:00.5+01:00", 0.5),
        // Leap days and leap seconds.
        ("2024-02-29T00:00:00Z", 1_709_164_800), ("2000-02-29T00:00:00Z", 951_782_400),
        ("2016-12-31T23:59:60Z", 1_483_228_800), ("1990-12-31T15:59:60-08:00", 662_688_000),
    ])
    func datesAreReadAsRFC3339HasThem(text: String, seconds: TimeInterval) throws {
        #expect(abs(try date(text).timeIntervalSince1970 - seconds) < 0.000_001)
    }

    @Test(arguments: [
        "", "now", "1795238247", "2026-11-21", "2026-11-21T05:17Z", "2026-11-21T05:17:27", "2026-11-21T05:17:27.Z",
        "2026-11-21T05:17:27.5", "2026-11-21T05:17:27+1:00", "2026-11-21T05:17:27+1", "2026-11-21T05:17:27+",
        "2026-11-21T05:17:27+24", "2026-11-21T05:17:27+01:", "2026-11-21T05:17:27+010", "2026-11-21T05:17:27Z+01",
        "2026-11-21T05:17:27+25:00", "2026-11-21T05:17:27+01:60",
        "2026-11-21T05:17:27+:0100", "2026-11-21T05:17:27+01:0:0", "2026-11-21T05:17:27ZZ", "2026-11-21T05:17:27 Z",
        "2026-11-21T24:00:00Z", "2026-11-21T05:60:00Z", "2026-11-21T05:17:61Z", "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-11-00T00:00:00Z", "26-11-21T05:17:27Z", "2026/11/21T05:17:27Z", "2026-11-21X05:17:27Z",
        "２０２６-11-21T05:17:27Z", "+026-11-21T05:17:27Z", "2026-11-21T05:17:2éZ",
    ])
    func textThatIsNoDateFailsToDecode(text: String) {
        #expect(throws: DecodingError.self) { try date(text) }
    }

    @Test
    func datesAreWrittenAsTheyAreRead() throws {
        let event = Event(at: Date(timeIntervalSince1970: 1_795_238_247))
        let data = try JSONEncoder.standard.encode(event)
        #expect(String(decoding: data, as: UTF8.self) == #"{"at":"2026-11-21T05:17:27Z"}"#)
        #expect(try JSONDecoder.standard.decode(Event.self, from: data) == event)
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 0.001), ("1970-01-01T00:00:00.500Z", 0.5),
        ("1969-12-31T23:59:59.999Z", -0.001), ("1969-12-31T23:59:59Z", -1),
        ("2026-01-02T03:04:05.678Z", 1_767_323_045.678),
        ("2026-01-02T03:04:06Z", 1_767_323_045.9996), ("2026-01-02T03:04:05.999Z", 1_767_323_045.9994),
        ("2026-01-02T03:04:05Z", 1_767_323_045.0004), ("2026-01-02T03:04:05.001Z", 1_767_323_045.0006),
        ("2027-01-01T00:00:00Z", 1_798_761_599.9999), ("2024-02-29T12:00:00Z", 1_709_208_000),
        ("2000-02-29T00:00:00Z", 951_782_400), ("1900-03-01T00:00:00Z", -2_203_891_200),
        ("0001-01-01T00:00:00Z", -62_135_596_800), ("0000-01-01T00:00:00Z", -62_167_219_200),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799.999), ("0099-12-31T23:59:59.250Z", -59_011_459_200.75),
    ])
    func datesAreWrittenWithTheMillisecondsThatTheyHave(text: String, seconds: TimeInterval) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(String(decoding: try JSONEncoder.standard.encode([date]), as: UTF8.self) == "[\"\(text)\"]")
        #expect(try Query(encoding: ["at": date]).pairs.map(\.value) == [text])
        #expect(try abs(self.date(text).timeIntervalSince(date)) <= 0.000_501)
    }

    @Test
    func everyMillisecondSurvivesTheRoundTrip() throws {
        for millisecond in 0..<1000 {
            let fraction = String(format: "%03d", millisecond)
            let text = "2026-01-02T03:04:05" + (millisecond == 0 ? "" : "." + fraction) + "Z"
            let data = try JSONEncoder.standard.encode([date(text)])
            #expect(String(decoding: data, as: UTF8.self) == "[\"\(text)\"]")
        }
    }

    @Test
    func aDayOfEachMonthOfManyYearsIsWrittenAsItIsRead() throws {
        for year in stride(from: 0, through: 9999, by: 37) {
            for (month, day) in [(1, 1), (2, 28), (3, 1), (6, 30), (12, 31)] {
                let text = String(format: "%04d-%02d-%02dT23:59:59Z", year, month, day)
                #expect(
                    String(decoding: try JSONEncoder.standard.encode([date(text)]), as: UTF8.self) == "[\"\(text)\"]"
                )
            }
        }
    }

    @Test(arguments: [253_402_300_800, -62_167_219_200.001, .infinity, -.infinity, .nan, 1e300])
    func aDateWhoseYearHasNotFourDigitsIsNotWritten(seconds: TimeInterval) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(throws: EncodingError.self) { try JSONEncoder.standard.encode([date]) }
        #expect(throws: EncodingError.self) { try Query(encoding: ["at": date]) }
    }

    @Test
    func eachCallMakesANewCoder() {
        #expect(JSONDecoder.standard !== JSONDecoder.standard)
        #expect(JSONEncoder.standard !== JSONEncoder.standard)
    }
}
