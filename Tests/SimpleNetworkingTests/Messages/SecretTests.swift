import Foundation
import SimpleNetworkingCore
import Testing

struct SecretTests {
    private struct Account {
        let name = "ada"
        let password: Secret
        var spare: Secret?
        var all: [String: Secret] = [:]
    }

    private enum Failure: Error { case wrong(Secret) }

    @Test
    func noTextShowsIt() {
        let secret = Secret("s3cret")
        let account = Account(password: secret, spare: secret, all: ["old": secret])
        var dumped = ""
        dump(secret, to: &dumped)
        dump(account, to: &dumped)
        dump([secret], to: &dumped)
        let texts = [
            "\(secret)", String(describing: secret), String(reflecting: secret), "\(account)", "\([secret])",
            "\(Optional(secret) as Any)", String(reflecting: account), "\(Failure.wrong(secret))",
            Failure.wrong(secret).localizedDescription, "\(Mirror(reflecting: secret).children.map(\.value))", dumped,
            String(describing: Mirror(reflecting: account).children.map { "\($0)" }),
        ]
        for text in texts { #expect(!text.contains("s3cret")) }
        for text in texts[..<8] { #expect(text.contains("‹secret›")) }
        #expect(Mirror(reflecting: secret).children.isEmpty)
        #expect(dumped.contains("‹secret›"))
    }

    @Test
    func itIsRevealedOnRequest() {
        #expect(Secret("s3cret").reveal() == "s3cret")
    }

    @Test(arguments: [
        ("a", "a", true), ("", "", true), ("a", "b", false), ("a", "aa", false), ("aa", "a", false), ("", "a", false),
        ("s3cret", "s3creT", false), ("S3cret", "s3cret", false),
        // The same text to a reader, but other bytes.
        ("é", "e\u{301}", false),
    ])
    func twoAreEqualByTheirBytes(left: String, right: String, areEqual: Bool) {
        #expect((Secret(left) == Secret(right)) == areEqual)
        #expect(Set([Secret(left), Secret(right)]).count == (areEqual ? 1 : 2))
    }

    @Test
    func anEncoderWritesThePlainText() throws {
        let data = try JSONEncoder().encode(["token": Secret("s3cret")])
        #expect(String(decoding: data, as: UTF8.self) == #"{"token":"s3cret"}"#)
        #expect(try JSONDecoder().decode([String: Secret].self, from: data)["token"] == Secret("s3cret"))
    }
}
