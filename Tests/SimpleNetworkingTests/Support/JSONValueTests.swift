import Foundation
import SimpleNetworkingSupport
import Testing

/// The reader of JSON, compared with Foundation's.
@Suite
struct JSONValueTests {
    @Test(arguments: [
        "null", "true", " false ", "0", "-0", "1.50", "1e3", "1E+2", "-12.5e-1", "9223372036854775807",
        "18446744073709551615", "0.1", #""""#, #""a\"\\\/\n\r\t""#, #""\u00e9\ud83d\ude00""#, "[]", "{}",
        "[1, [2, {}]]",
        #"{"b": 1, "a": [true, null, "x"], "b": 2}"#, "\u{FEFF}[1]", "\"\u{7F}é😀\"",
    ])
    func whatFoundationReadsHasTheSameText(json: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
        let expected = try JSONSerialization.data(withJSONObject: object, options: options)
        let value = try #require(JSONValue(json))
        if json.contains(#""b": 1"#) {
            #expect(value.members?["b"]?.integer == 2)
        } else {
            #expect(value.canonicalText == String(decoding: expected, as: UTF8.self))
        }
    }

    @Test(arguments: [
        "", " ", "nul", "truee", "01", "1.", ".5", "+1", "1e", "-", "'a'", "\"a", "\"\u{1}\"", #""\x""#, #""\u12""#,
        #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, "[1,]", "[1 2]", "{\"a\"}", "{\"a\": 1,}", "{a: 1}", "{1: 1}",
        "[", "{", "]",
        "1 2", "NaN", "Infinity", "[1]]",
    ])
    func whatIsNotJSONIsNotRead(text: String) { #expect(JSONValue(text) == nil) }

    @Test
    func invalidUTF8IsNotRead() { #expect(JSONValue(Data([0x22, 0xFF, 0x22])) == nil) }

    /// Each is JSON of two or four bytes a character, with and without a mark (RFC 4627 §3).
    @Test(arguments: [
        String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, .utf16, .utf32, .utf8,
    ])
    func wideEncodingsAreRead(encoding: String.Encoding) throws {
        let data = try #require(#"{"password": "ünder"}"#.data(using: encoding))
        #expect(JSONValue(data)?.members?["password"]?.text == "ünder")
        #expect(Redaction.secrets(ofContent: data, type: "application/json") == ["ünder"])
    }

    /// A log shows numbers in their shortest form.
    @Test(arguments: ["98765432109876543210987", "98765432.1090", "12345678"])
    func aSecretNumberIsHiddenHoweverItIsWritten(digits: String) throws {
        let secrets = Redaction.secrets(ofContent: Data(#"{"password": \#(digits)}"#.utf8), type: "application/json")
        let shown = try #require(Redaction.text(ofReadable: Data(#"{"x": \#(digits)}"#.utf8), type: "application/json"))
        #expect(
            Redaction.hiding(secrets, in: shown).contains("x\":")
                && !Redaction.hiding(secrets, in: shown).contains("9876")
        )
        #expect(!Redaction.hiding(secrets, in: digits).contains("12345678"))
    }

    /// Nesting takes space on the stack.
    @Test(arguments: [(128, true), (130, false), (100_000, false)])
    func deepNestingIsLimited(depth: Int, isRead: Bool) {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect((JSONValue(text) != nil) == isRead)
    }

    @Test
    func equalNumbersHaveOneText() {
        #expect(
            JSONValue("1.0")?.canonicalText == "1" && JSONValue("100")?.canonicalText == JSONValue("1e2")?.canonicalText
        )
        #expect(
            JSONValue("2.0")?.integer == 2 && JSONValue("2.5")?.integer == nil && JSONValue("\"2\"")?.integer == nil
        )
    }

    /// Random bytes that are nearly JSON: both readers accept the same.
    @Test
    func whatIsAcceptedIsWhatFoundationAccepts() {
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"a\"", "1", "-0.5", "true", "null", " ", "\"\\u0041\"", "\n", "tru", "\"",
            "0", ".",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
            }.joined()
            let theirs = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            // Foundation accepts a comma before a bracket, which JSON forbids.
            guard JSONSyntax.trailingComma(in: Data(text.utf8)) == nil else { continue }
            #expect((JSONValue(text) != nil) == (theirs != nil), "\(text)")
        }
    }
}
