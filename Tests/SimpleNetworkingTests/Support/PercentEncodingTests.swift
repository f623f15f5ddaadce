import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCore

struct PercentEncodingTests {
    @Test(arguments: [
        ("", "", ""), ("abc-._~", "abc-._~", "abc-._~"), ("a b", "a%20b", "a%20b"), ("%41%4", "%41%254", "%2541%254"),
        ("%", "%25", "%25"), ("%%41", "%25%41", "%25%2541"), ("é", "%C3%A9", "%C3%A9"),
        ("\0\u{7F}", "%00%7F", "%00%7F"),
        ("%4\u{E9}", "%254%C3%A9", "%254%C3%A9"),
    ])
    func bytesAreEncodedOnceOrWhole(text: String, once: String, whole: String) {
        let kept = PercentEncoding.unreserved
        #expect(PercentEncoding.encode(text, keeping: kept, keepsTriplets: true) == once)
        #expect(PercentEncoding.encode(text, keeping: kept) == whole)
        #expect(PercentEncoding.encode(text, keeping: kept).removingPercentEncoding == text)
    }
}
