import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCore

struct QueryTests {
    /// Declared as the verbs declare it: literals become a `Query`.
    private func get(query: Query = [:]) -> String { query.encoded }

    private enum Order: String, QueryValue { case newest }

    @Test
    func everyFormOfLiteralMakesAQuery() {
        let optional: String? = "x"
        let none: String? = nil
        #expect(get() == "")
        #expect(get(query: []) == "")
        #expect(get(query: [:]) == "")
        #expect(get(query: [("b", "1"), ("a", "2")]) == "b=1&a=2")
        #expect(get(query: [("a", "1"), ("b", nil)]) == "a=1")
        #expect(get(query: [("a", nil)]) == "")
        #expect(get(query: [("a", optional), ("b", none), ("c", 3), ("d", true)]) == "a=x&c=3&d=true")
        #expect(get(query: ["b": "1", "a": "2"]) == "a=2&b=1")
        #expect(get(query: ["a": "1", "b": nil]) == "a=1")
        #expect(get(query: ["a": optional, "b": none]) == "a=x")
        #expect(
            get(query: ["q": "x", "page": 2, "deep": true, "ids": [1, 2], "by": Order.newest])
                == "by=newest&deep=true&ids=1&ids=2&page=2&q=x"
        )
        #expect(get(query: optional == nil ? [] : [("a", "1")]) == "a=1")
        #expect(get(query: .raw("a=b+c")) == "a=b+c")
    }

    @Test
    func everyFormOfVariableMakesAQuery() {
        let optionalPairs: [(String, String?)] = [("b", "1"), ("a", nil), ("b", "2")]
        let pairs = [("b", "1"), ("a", "2")]
        let texts: [String: String] = ["b": "1", "a": "2"]
        let optionalTexts: [String: String?] = ["b": "1", "a": nil]
        let numbers = ["b": [1, 2], "a": []]
        let mixed: [String: any QueryValue] = ["b": "1", "a": 2.5]
        let query: Query = ["a": "1"]
        #expect(get(query: Query(optionalPairs)) == "b=1&b=2")
        #expect(get(query: Query(optionalPairs + [("c", "3")])) == "b=1&b=2&c=3")
        #expect(get(query: Query(pairs)) == "b=1&a=2")
        #expect(get(query: Query(texts)) == "a=2&b=1")
        #expect(get(query: Query(optionalTexts)) == "b=1")
        #expect(get(query: Query(numbers)) == "b=1&b=2")
        #expect(get(query: Query(mixed)) == "a=2.5&b=1")
        #expect(get(query: query) == "a=1")
        #expect(get(query: query + [("b", "2")] + .raw("c")) == "a=1&b=2&c")
    }

    @Test(arguments: [
        ("a+b", "a%2Bb"), ("a b", "a%20b"), ("&=#;/?:@", "%26%3D%23%3B%2F%3F%3A%40"), ("100%", "100%25"),
        ("%20", "%2520"), ("ü", "%C3%BC"), ("-._~", "-._~"), ("", ""), ("a\r\nb\0", "a%0D%0Ab%00"), ("[]", "%5B%5D"),
        ("👍", "%F0%9F%91%8D"), ("'\"<>\\^`{|}", "%27%22%3C%3E%5C%5E%60%7B%7C%7D"), ("!$()*,", "%21%24%28%29%2A%2C"),
    ])
    func namesAndValuesAreEncodedWhole(text: String, encoded: String) throws {
        #expect(Query([(text, text)]).encoded == "\(encoded)=\(encoded)")
        let query = Query([("v", text)]).encoded
        let url = try URLJoining.url(base: #require(URL(string: "https://h")), path: "/", query: query).url
        let item = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.first
        #expect(item?.value == text)
    }

    @Test(arguments: [
        ("a=b+c", "a=b+c"), ("q=a b#c", "q=a%20b%23c"), ("flag", "flag"), ("a=%20%", "a=%20%"), ("", ""),
        ("f[a]={1|2}&b=^`\\", "f[a]={1|2}&b=^`\\"), ("a=\"<b>'", "a=%22%3Cb%3E'"), ("é=50%&b=%41", "%C3%A9=50%&b=%41"),
    ])
    func rawTextIsSentAsWritten(text: String, encoded: String) {
        #expect(Query.raw(text).encoded == encoded)
        #expect(Query.raw(text).isEmpty == text.isEmpty)
    }

    @Test
    func aRawPairIsSentAsWritten() {
        #expect((["a": "b"] + Query.raw("q=x+y")).encoded == "a=b&q=x+y")
    }

    @Test
    func pairsAreReadDecoded() {
        let query: Query = [("a", "1 &"), ("b", ["2", "3"])] + .raw("c=x+y&flag&a=%C3%BC")
        let pairs = query.pairs
        #expect(pairs.map(\.name) == ["a", "b", "b", "c", "flag", "a"])
        #expect(pairs.map(\.value) == ["1 &", "2", "3", "x y", "", "ü"])
        #expect(query.value(of: "a") == "1 &" && query.value(of: "flag") == "" && query.value(of: "d") == nil)
        #expect(([:] as Query).pairs.isEmpty)
    }

    @Test
    func pairsAreKeptAndReplacedByName() {
        let query: Query = [("a", "1"), ("b", "2"), ("a", "3")] + .raw("c=x+y")
        #expect(query.keeping { $0 != "a" }.encoded == "b=2&c=x+y")
        #expect(query.replacing(with: [("a", "4"), ("d", "5")]).encoded == "b=2&c=x+y&a=4&d=5")
        #expect(([:] as Query).replacing(with: query).encoded == query.encoded)
    }

    @Test
    func aDescriptionHidesSecrets() {
        #expect("\(["q": "x", "access_token": "hunter2"] as Query)" == "access_token=‹secret›&q=x")
    }
}
