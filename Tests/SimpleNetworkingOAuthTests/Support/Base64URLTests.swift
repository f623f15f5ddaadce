import Testing

@testable import SimpleNetworkingOAuth

struct Base64URLTests {
    @Test(arguments: [
        ([], ""), ([0], "AA"), ([0, 0], "AAA"), ([0, 0, 0], "AAAA"), ([0xFB, 0xFF], "-_8"),
        ([0xFF, 0xEF, 0xBE], "_---"),
        // RFC 7636 appendix A.
        ([3, 236, 255, 224, 193], "A-z_4ME"),
    ])
    func bytesAreEncodedForURLs(bytes: [UInt8], text: String) {
        #expect(Base64URL.encode(bytes) == text)
    }

    @Test
    func randomTextsHave43CharactersAndDiffer() {
        let texts = (0..<100).map { _ in Base64URL.random() }
        #expect(Set(texts).count == 100)
        for text in texts { #expect(text.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil) }
    }
}
