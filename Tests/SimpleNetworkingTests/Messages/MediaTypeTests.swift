import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCore

struct MediaTypeTests {
    @Test(
        arguments: [
            (#"text/html;charset="utf-8""#, "utf-8"), (#"text/html; charset="\u\t\f-8""#, "utf-8"),
            (#"text/html;CHARSET=utf-8;charset=other"#, "utf-8"), (#"text/html;x="a;charset=no";charset=yes"#, "yes"),
            (#"text/html;x="a\";charset=no";charset=yes"#, "yes"), (#"text/html;charset="utf-8"#, "utf-8"),
            (#"text/html;charset ="utf-8""#, nil), (#"text/html;charset="#, nil), (#"text/html;charset="""#, ""),
            (#"text/html"#, nil), ("text/html;charset=a b ;x", "a b"), ("; charset=x", "x"),
        ] as [(String, String?)]
    )
    func aParameterIsReadWithoutQuotesAndEscapes(type: String, charset: String?) {
        #expect(MediaType(type).parameter("Charset") == charset)
    }

    @Test(arguments: [
        ("Text/HTML ; charset=x", "text/html"), ("a/b", "a/b"), ("", ""), ("json", "json"), (" a/b\t;", "a/b"),
    ])
    func essenceOmitsParameters(type: String, essence: String) { #expect(MediaType(type).essence == essence) }

    @Test(arguments: [
        ("a, b", true, ["a", " b"]), (#"a="b,c",d"#, true, [#"a="b,c""#, "d"]),
        (#"a="b\",c",d"#, true, [#"a="b\",c""#, "d"]),
        (#"a,b="c,d"#, true, ["a", #"b="c,d"#]), (#"a,b="c,d"#, false, ["a", #"b="c"#, "d"]), ("", true, [""]),
        (#"a="b\",c"#, false, [#"a="b\""#, "c"]), (#"a="b,c",d="e,f"#, false, [#"a="b,c""#, #"d="e"#, "f"]),
    ])
    func aListIsSplitAtCommasOutsideQuotes(text: String, hidesRest: Bool, members: [String]) {
        #expect(text.listMembers(hidingBehindUnclosedQuotes: hidesRest).map(String.init) == members)
    }

    @Test(.timeLimit(.minutes(1)))
    func hugeFieldsAreReadInTime() {
        let escapes = String(repeating: #"\""#, count: 50_000)
        for hidesRest in [true, false] {
            #expect(("\"" + escapes).listMembers(hidingBehindUnclosedQuotes: hidesRest).count == 1)
        }
        let parameters = (0..<50_000).map { ";a\($0)=1" }.joined()
        #expect(MediaType("a/b" + parameters).parameter("a49999") == "1")
    }
}
