import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCore

struct URLReferenceTests {
    @Test(arguments: [
        // RFC 3986 §5.4, but for fragments, which are dropped.
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("g#s", "http://a/b/c/g"),
        ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
        ("", "http://a/b/c/d;p?q"),
        (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
        ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
        ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
        (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("?", "http://a/b/c/d;p?"), ("g?", "http://a/b/c/g?"), ("/?#s", "http://a/?"), ("//g?", "http://g?"),
        // Beyond the RFC.
        ("https://h/x/../y", "https://h/y"), ("//h:8080/x?y", "http://h:8080/x?y"),
        (" /a b/ü ", "http://a/a%20b/%C3%BC"),
        ("/a%20b%", "http://a/a%20b%25"), (#"\\evil\x"#, "http://a/b/c/%5C%5Cevil%5Cx"),
        ("?q=a b", "http://a/b/c/d;p?q=a%20b"),
        ("/a//b", "http://a/a//b"), ("./a:b", "http://a/b/c/a:b"), ("?a:b", "http://a/b/c/d;p?a:b"),
        ("/%2e%2e/x", "http://a/%2e%2e/x"),
        // No scheme begins with a colon, a digit or a bracket: a browser takes these for paths.
        (":x", "http://a/b/c/:x"), (":", "http://a/b/c/:"), ("1:2", "http://a/b/c/1:2"),
        ("[61:24]:98", "http://a/b/c/%5B61:24%5D:98"), ("ü:x", "http://a/b/c/%C3%BC:x"),
    ])
    func referencesAreResolvedAsTheRFCSays(reference: String, result: String) throws {
        let base = try #require(URL(string: "http://a/b/c/d;p?q"))
        #expect(try URLParts(resolving: reference, against: base).url().absoluteString == result)
    }

    @Test(arguments: [
        ("x", "https://h/x"), ("../x", "https://h/x"), ("?a", "https://h?a"), ("", "https://h"), ("?", "https://h?"),
    ])
    func aBaseWithoutPathIsEnough(reference: String, result: String) throws {
        let base = try #require(URL(string: "https://h"))
        #expect(try URLParts(resolving: reference, against: base).url().absoluteString == result)
    }

    @Test(arguments: [
        "mailto:a@b", "javascript:alert(1)", "file:///x", "ftp://h", "http:x", "https://", "//", "//@h", "//u:p@h/",
        "a\r\nb",
        "https://a b/", "users:search",
    ])
    func unsafeReferencesAreRefused(reference: String) throws {
        let base = try #require(URL(string: "http://a/b"))
        #expect(throws: UnusableURL.self) { try URLParts(resolving: reference, against: base).url() }
    }
}
