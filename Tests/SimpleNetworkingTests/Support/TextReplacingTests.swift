import Foundation
import SimpleNetworkingSupport
import Testing

/// Replacing and decoding text, compared with Foundation's methods, which FoundationEssentials lacks.
@Suite
struct TextReplacingTests {
    @Test
    func randomTextIsTreatedAsFoundationDoes() {
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "a", "b", "aa", "%", "%2", "%20", "%C3%A9", "%c3", "%zz", "::", ":", "é", "\u{301}", "😀", " ", "\n",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
            }.joined()
            #expect(text.percentDecoded == text.removingPercentEncoding, "\(text.debugDescription)")
            for mark in ["a", "aa", "::", "%", "%2"] {
                let theirs = text.replacingOccurrences(of: mark, with: "<>", options: .literal)
                #expect(
                    text.replacingAll(mark, with: "<>").utf8.elementsEqual(theirs.utf8),
                    "\(text.debugDescription) \(mark)"
                )
            }
        }
    }

    @Test
    func anEmptyTextIsFoundNowhere() {
        #expect(
            "abc".firstRange(of: "") == nil && "abc".replacingAll("", with: "x") == "abc"
                && "".pieces(around: ":") == [""]
        )
    }

    @Test(arguments: [
        ("a=1", ["a=1"]), ("a=1, b=2", ["a=1", "b=2"]),
        (
            "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=2",
            [
                "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2",
            ]
        ), ("a=1, b", ["a=1, b"]), ("", [""]), ("a=x, y z=1", ["a=x, y z=1"]),
    ])
    func joinedCookiesAreSplit(text: String, cookies: [String]) { #expect(text.joinedCookies == cookies) }
}
