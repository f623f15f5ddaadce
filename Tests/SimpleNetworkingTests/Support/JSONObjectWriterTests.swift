import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

struct JSONObjectWriterTests {
    /// `Any` is not Sendable, so the table holds recipes.
    struct Sample: Sendable, CustomTestStringConvertible {
        let text: String
        let make: @Sendable () -> Any?
        var testDescription: String { text }
    }

    private class Thing {}

    @Test(arguments: [
        Sample(text: "{}") { [String: Any]() },
        Sample(text: "[]") { [Any]() },
        Sample(text: #"{"a":1,"b":[true,null,"x"],"c":{"d":1.5}}"#) {
            ["a": 1, "b": [true, NSNull(), "x"] as [Any], "c": ["d": 1.5]] as [String: Any]
        },
        Sample(text: #"{"a":"x","b":null}"#) { ["a": "x", "b": nil] as [String: String?] },
        Sample(text: #"{"a":1,"b":null}"#) {
            ["a": Optional(Optional(1)) as Any, "b": Optional<Int??>.some(.some(nil)) as Any]
        },
        Sample(text: "[1,null]") { [1, nil] as [Int?] },
        Sample(text: #""x""#) { "x" },
        Sample(text: "true") { true },
        Sample(text: "[0.30000000000000004,1,-0,1e+20,1e-07,0.1,0.1]") {
            [0.1 + 0.2, 1.0, -0.0, 1e20, 1e-7, 0.1, Float(0.1)] as [Any]
        },
        Sample(text: "[1,true,1.5]") { [NSNumber(value: 1), NSNumber(value: true), NSNumber(value: 1.5)] },
        Sample(text: "{}") { [Int: Int]() },
        Sample(text: "3") { 3 },
        Sample(text: "-1.25") { -1.25 },
        Sample(text: "null") { nil },
        Sample(text: "[1,2,3,4,0.5]") { [Int8(1), UInt64(2), Int64(3), Decimal(4), Float(0.5)] as [Any] },
        Sample(text: "18446744073709551615") { UInt64.max },
        Sample(text: #"{"a":"x","n":[1,true]}"#) {
            NSDictionary(dictionary: ["a": NSString("x"), "n": NSArray(array: [NSNumber(1), NSNumber(true)])])
        },
        Sample(text: #"["/é\"\n\u0000"]"#) { ["/é\"\n\0"] },
    ])
    func jsonValuesAreEncoded(sample: Sample) throws {
        let data = try JSONObjectWriter.data(of: sample.make())
        #expect(String(decoding: data, as: UTF8.self) == sample.text)
    }

    @Test
    func jsonSerializationReadsTheOutput() throws {
        let text = String(String.UnicodeScalarView((1...0x2FF).compactMap(Unicode.Scalar.init))) + "👍🏽\u{2028}"
        let data = try JSONObjectWriter.data(of: [
            text: [text, Double.leastNonzeroMagnitude, Int.min] as [Any]
        ])
        let value = try #require(JSONSerialization.jsonObject(with: data) as? [String: [Any]])
        #expect(value[text]?.first as? String == text)
        #expect(value[text]?[1] as? Double == Double.leastNonzeroMagnitude)
        #expect(value[text]?[2] as? Int == Int.min)
    }

    @Test(arguments: [
        Sample(text: "value at a is nan") { ["a": Double.nan] },
        Sample(text: "value at a.1 is inf") { ["a": [1, Float.infinity]] },
        Sample(text: "content is -inf") { -Double.infinity },
        Sample(text: "value at 0 is nan") { [NSNumber(value: Double.nan)] },
        Sample(text: "value at user.born is a Date") { ["user": ["born": Date()]] },
        Sample(text: "value at a is a Data") { ["a": Data()] },
        Sample(text: "value at a is a URL") { ["a": URL(fileURLWithPath: "/")] },
        Sample(text: "value at a is a Thing") { ["a": Optional(Thing()) as Any] },
        Sample(text: "content is a Set<Int>") { Set([1]) },
        Sample(text: "content is a (Int, Int)") { (1, 2) },
        Sample(text: "content has keys that are not text") { [1: 2] },
        Sample(text: "value at a has keys that are not text") { ["a": [1: 2, "b": 3] as [AnyHashable: Any]] },
        Sample(text: "is nested too deeply") { (0..<600).reduce([] as [Any]) { list, _ in [list] } },
    ])
    func valuesThatJSONCannotHoldAreNamed(sample: Sample) {
        let error = #expect(throws: UnwritableContent.self) { try JSONObjectWriter.data(of: sample.make()) }
        #expect(error?.reason.contains(sample.text) == true, "\(String(describing: error))")
    }
}
