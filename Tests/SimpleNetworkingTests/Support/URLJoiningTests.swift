import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCore

struct URLJoiningTests {
    @Test(arguments: [
        // Base, path, result.
        ("https://h/api/v1", "users", "https://h/api/v1/users"),
        ("https://h/api/v1", "/users", "https://h/api/v1/users"),
        ("https://h/api/v1/", "users", "https://h/api/v1/users"),
        ("https://h/api/v1/", "/users", "https://h/api/v1/users"),
        ("https://h/api/v1//", "//users", "https://h/api/v1/users"),
        ("https://h", "users", "https://h/users"),
        ("https://h/", "/users", "https://h/users"),
        ("https://h/api/v1", "users/", "https://h/api/v1/users/"),
        ("https://h/api/v1", "a//b", "https://h/api/v1/a//b"),
        ("https://h/api/v1", "", "https://h/api/v1"),
        ("https://h/api/v1/", "", "https://h/api/v1/"),
        ("https://h", "", "https://h"),
        ("https://h", "/", "https://h/"),
        ("https://h/api/v1", "/", "https://h/api/v1/"),
        ("https://h/api/v1/", "/", "https://h/api/v1/"),
        ("https://h:8080/v1", "x", "https://h:8080/v1/x"),
        ("http://[::1]:80/v1", "x", "http://[::1]:80/v1/x"),
        ("https://h/v1?key=1", "x", "https://h/v1/x?key=1"),
        ("https://h/v1?key=1", "", "https://h/v1?key=1"),
        ("https://h?key=1", "x", "https://h/x?key=1"),
        ("https://h/v1#part", "x", "https://h/v1/x"),
    ])
    func thePathIsAppendedWithExactlyOneSlash(base: String, path: String, result: String) throws {
        #expect(try url(base, path).absoluteString == result)
    }

    @Test(arguments: [
        ("a%2Fb", "a%2Fb"), ("a%20b", "a%20b"), ("a b", "a%20b"), ("é", "%C3%A9"), ("a b/ü", "a%20b/%C3%BC"),
        ("100%", "100%25"), ("%zz", "%25zz"), ("%2", "%252"), ("%e4", "%e4"), ("👍🏽", "%F0%9F%91%8D%F0%9F%8F%BD"),
        ("a+b", "a+b"), ("a[0]", "a%5B0%5D"), (#"a\b"#, "a%5Cb"), (#"a"<>^`{|}"#, "a%22%3C%3E%5E%60%7B%7C%7D"),
        ("users:search", "users:search"), ("v1.users:search", "v1.users:search"), ("a@b", "a@b"),
        ("a/x:y//z", "a/x:y//z"), ("/https://evil.example/x", "https://evil.example/x"), (";,!$&'()*=", ";,!$&'()*="),
        ("a.b/..c/d../.e", "a.b/..c/d../.e"), ("a#part", "a"), ("//evil.example/x", "evil.example/x"),
        ("///evil.example/x", "evil.example/x"), (#"/\evil.example"#, "%5Cevil.example"),
        ("@evil.example", "@evil.example"),
        ("a\u{E9}", "a%C3%A9"), ("ae\u{301}", "ae%CC%81"), ("/\u{338}x", "%CC%B8x"), (" x", "%20x"),
    ])
    func thePathIsEncodedOnceAndStaysBelowTheBase(path: String, encoded: String) throws {
        let url = try url("https://h/v1", path)
        #expect(url.absoluteString == "https://h/v1/" + encoded)
        #expect(url.host == "h")
    }

    @Test(
        arguments: [
            ("https://h/v1", "user?x=1", [], "https://h/v1/user?x=1"),
            ("https://h/v1", "?x=1", [], "https://h/v1?x=1"),
            ("https://h/v1", "user?", [], "https://h/v1/user?"),
            ("https://h/v1?", "user?#x", [], "https://h/v1/user?"), ("https://h/v1?", "", [], "https://h/v1?"),
            ("https://h/v1?", "user?", [("a", 1)], "https://h/v1/user?a=1"),
            ("https://h/v1?a", "user?", [], "https://h/v1/user?a"), ("https://h", "https://o/?", [], "https://o/?"),
            ("https://h/v1?a=1", "user?b=2", [("c", 3)], "https://h/v1/user?a=1&b=2&c=3"),
            ("https://h/v1?a=1", "user", [("a", 1)], "https://h/v1/user?a=1&a=1"),
            ("https://h/v1", "user", [("a", nil)], "https://h/v1/user"),
            ("https://h/v1", "user?q=a b+c&d=%20&e=ü&f=?/", [], "https://h/v1/user?q=a%20b+c&d=%20&e=%C3%BC&f=?/"),
            ("https://h/v1", "user?next=https://x/", [], "https://h/v1/user?next=https://x/"),
            ("https://h/v1", "user?x=../..", [], "https://h/v1/user?x=../.."),
            ("https://h/v1", "user#x?y=1", [], "https://h/v1/user"),
        ] as [(String, String, Query, String)]
    )
    func queriesAreAddedUpInOrder(base: String, path: String, query: Query, result: String) throws {
        #expect(try url(base, path, query).absoluteString == result)
    }

    @Test(arguments: [
        ("https://other/x", "https://other/x?p=1"), ("http://other", "http://other?p=1"),
        ("HTTPS://Other:8443/x?a=b#c", "HTTPS://Other:8443/x?a=b&p=1"),
        ("https://other/a b", "https://other/a%20b?p=1"),
        ("https://[2001:db8::1]/", "https://[2001:db8::1]/?p=1"), ("https://127.0.0.1:1/", "https://127.0.0.1:1/?p=1"),
    ])
    func anAbsoluteURLIsUsedInsteadOfTheBase(path: String, result: String) throws {
        #expect(try url("https://h/v1?key=1", path, ["p": 1]).absoluteString == result)
    }

    @Test(arguments: [
        ("../x", "would leave"), ("/../x", "would leave"), ("a/../../x", "would leave"), ("..", "would leave"),
        ("./x", "would leave"), ("a/.", "would leave"), ("%2e%2e/x", "would leave"), ("a/.%2E/x", "would leave"),
        ("..?a=1", "would leave"), ("..#a", "would leave"),
        ("a\r\nX: y", "control"), ("a\nb", "control"), ("a\0b", "control"), ("a\tb", "control"), ("a\u{7F}", "control"),
        ("x?a=\r", "control"), ("https://h/\r\nX: y", "control"), ("https://h\r\n/", "control"),
        ("ftp://h/x", "http"), ("file:///etc/passwd", "http"), ("ws://h", "http"), ("x+y.z-1://h", "http"),
        ("https://", "host"), ("https:///x", "host"), ("https://:80/", "host"), ("https://?x", "host"),
        ("https://a b/", "valid"), (#"https://good\evil/"#, "valid"), ("https://h:port/", "valid"),
        ("https://[::1/", "valid"),
        ("https://user:hunter2@h/x", "authenticate(with:password:)"),
        ("https://hunter2@h", "authenticate(with:password:)"),
        (#"https://good\hunter2@evil/"#, "authenticate(with:password:)"),
        ("https://@h/", "authenticate(with:password:)"),
    ])
    func aURLThatIsNotSafeIsRefused(path: String, reason: String) throws {
        let error = try #require(throws: UnusableURL.self) { try url("https://h/v1", path) }
        #expect(error.reason.contains(reason))
        #expect(!"\(String(reflecting: error)) \(String(describing: error))".contains("hunter2"))
    }

    @Test(arguments: [
        ("h/v1", "scheme"), ("/v1", "scheme"), ("ftp://h", "http"), ("https://user:hunter2@h", "authenticate"),
        ("https:", "scheme"), ("https:///v1", "host"), ("data:text/plain,x", "scheme"),
    ])
    func aBaseThatIsNotSafeIsRefused(base: String, reason: String) throws {
        let error = #expect(throws: UnusableURL.self) { try url(base, "x") }
        #expect(error?.reason.contains(reason) == true)
        #expect(error?.text.contains("hunter2") == false)
    }

    @Test
    func anInternationalHostIsWrittenAsFoundationDoes() throws {
        #expect(try url("https://bücher.example/v1", "ü").absoluteString == "https://xn--bcher-kva.example/v1/%C3%BC")
    }

    @Test
    func aRelativeBaseIsResolvedFirst() throws {
        let base = try #require(URL(string: "v1/", relativeTo: URL(string: "https://h/api/")))
        #expect(try URLJoining.url(base: base, path: "x").text == "https://h/api/v1/x")
    }

    private func url(_ base: String, _ path: String, _ query: Query = []) throws -> URL {
        try URLJoining.url(base: #require(URL(string: base)), path: path, query: query.encoded).url
    }
}
