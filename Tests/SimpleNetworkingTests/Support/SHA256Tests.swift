import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCore

@Suite
struct SHA256Tests {
    /// From FIPS 180-4's examples, and of lengths around a block's end as `sha256sum` has them.
    @Test(arguments: [
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ("a", 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
        ("a", 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
        ("a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
        ("a", 100_000, "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee"),
    ])
    func theDigestIsThatOfTheStandard(text: String, count: Int, digest: String) {
        var hash = SHA256()
        for _ in 0..<count { hash.update(text.utf8) }
        #expect(hash.finish().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == digest)
    }

    @Test
    func digestDependsOnTheBoundariesBetweenTexts() {
        #expect(Digest(["ab", "c"], salt: []) != Digest(["a", "bc"], salt: []))
        #expect(Digest(["ab"], salt: []) != Digest(["ab", ""], salt: []))
        #expect(Digest(["ab"], salt: [1]) != Digest(["ab"], salt: [2]))
    }

    @Test(arguments: ["", "+000000000000000000000000000000f", "0000000000000000000000000000000F", "0", "g"])
    func onlyADigestsOwnTextIsParsed(text: String) {
        #expect(Digest(text) == nil)
        let digest = Digest([text], salt: [])
        #expect(Digest(digest.text) == digest)
    }
}
