import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingSupport

/// Text in pieces: marks count wherever their byte is.
@Suite(.timeLimit(.minutes(1)))
struct TextPiecesTests {
    @Test(arguments: [
        ("", [], [""]), (";", [], ["", ""]), ("a", ["a"], ["a"]), ("a;b", ["a", "b"], ["a", "b"]),
        (";;a;", ["a"], ["", "", "a", ""]), ("a;\u{301}b", ["a", "\u{301}b"], ["a", "\u{301}b"]),
        ("é;日", ["é", "日"], ["é", "日"]),
    ])
    func aTextIsCutAtEachMark(text: String, pieces: [Substring], all: [Substring]) {
        #expect(text.pieces(between: ";") == pieces)
        #expect(text.pieces(between: ";", keepsEmpty: true) == all)
    }

    @Test func anyOfSeveralMarksCuts() { #expect("a, b\tc".pieces(between: " ,\t") == ["a", "b", "c"]) }

    @Test(arguments: [
        ("", "", nil), ("a", "a", nil), ("=", "", ""), ("a=b=c", "a", "b=c"), ("a=\u{301}b", "a", "\u{301}b"),
    ])
    func aTextHasTwoPartsAtItsFirstMark(text: String, before: Substring, after: Substring?) {
        #expect(text.parts(at: "=").before == before)
        #expect(text.parts(at: "=").after == after)
    }

    @Test func bytesOfASetAreFoundAnywhere() {
        #expect("a\r\n".contains(anyOf: "\n"))
        #expect(!"a\u{10A}".contains(anyOf: "\n"))
        #expect("\u{7F}".contains(anyOf: .controls))
        #expect(!"\t".contains(anyOf: ByteSet.controls.subtracting("\t")))
        #expect("12".isNumber && !"".isNumber && !"١".isNumber && !"-1".isNumber)
    }

    @Test(arguments: ["no-store=\u{301}", "a, no-store=\u{301}", "no-store"])
    func noCombiningMarkHidesADirective(field: String) { #expect(CacheControl([field]).has("no-store")) }

    @Test func noCombiningMarkHidesASecretMemberOfAForm() {
        var names = SecretNames()
        let type = "application/x-www-form-urlencoded"
        let isFound = names.areContained(in: Data("a=1&\u{301}token=\u{301}2".utf8), type: type)
        #expect(isFound)
        #expect(Redaction.secrets(ofQuery: "a=1&\u{301}token=2345") == ["2345"])
    }
}
