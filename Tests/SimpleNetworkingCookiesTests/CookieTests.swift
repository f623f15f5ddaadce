import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// The rules of RFC 6265bis for one cookie.
@Suite
struct CookieTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// The cookies that a jar sends to one URL of those that another URL has set.
    private func sent(_ cookies: String..., from: String, to: String) throws -> String {
        let jar = CookieJar()
        let fields = cookies.map { HTTPHeaders.Field("Set-Cookie", $0) }
        jar.store(HTTPHeaders(fields: fields), from: try #require(URL(string: from)), now: Self.now)
        return jar.cookies(for: try #require(URL(string: to)), now: Self.now).map { "\($0.name)=\($0.value)" }
            .joined(separator: "; ")
    }

    @Test(arguments: [
        "q=x,__Host-sid=evil; Secure; Path=/", "q=x, __Host-sid=evil; Secure; Path=/", "q=x,sid=evil",
        "q=x, sid=evil; Path=/",
    ])
    func aCommaBeginsNoCookie(text: String) throws {
        let value = text.dropFirst(2).prefix { $0 != ";" }
        #expect(try sent(text, from: "https://h.example/", to: "https://h.example/") == "q=\(value)")
    }

    @Test(arguments: [
        "__host-a=1; Path=/", "__HOST-a=1; Secure; Path=/; Domain=h.example", "__Host-a=1; Secure; Path=/x",
        "__Host-a=1; Secure", "__secure-a=1", "__SECURE-a=1; Path=/", "=__Host-a=1; Secure; Path=/",
        "__Secure-a", "=__secure-a=1; Secure", "__Host-\u{301}=1", "__Secure-\u{301}a=1",
    ])
    func aPrefixedNameIsRefusedIfItBreaksThePromise(text: String) throws {
        #expect(try sent(text, from: "https://h.example/", to: "https://h.example/x") == "")
    }

    @Test(arguments: ["__host-a=1; Secure; Path=/", "__SECURE-a=1; Secure; Domain=h.example"])
    func cookieThatSatisfiesItsPrefixIsStored(text: String) throws {
        let pair = text.prefix { $0 != ";" }
        #expect(try sent(text, from: "https://h.example/", to: "https://h.example/x") == pair)
    }

    @Test(arguments: [
        ("Path=/app/", "/", "/app/", true), ("Path=/app/", "/", "/app/x", true), ("Path=/app/", "/", "/app", false),
        ("Path=/app", "/", "/app/", true), ("Path=/app", "/", "/apple", false),
        ("", "/a/b/", "/a/b/", true), ("", "/a/b/", "/a/b", true), ("", "/a/b/", "/a/c", false),
        ("", "/a/b", "/a/c", true), ("", "/a", "/", true), ("", "", "/", true), ("", "?q=/x/y", "/", true),
        ("Path=/a%2Fb", "/", "/a%2Fb/c", true), ("Path=/a%2Fb", "/", "/a/b/c", false),
        ("", "/a%2Fb/c", "/a%2Fb/d", true), ("", "/a%2Fb/c", "/a/b/d", false), ("", "/a%2Fb/c", "/a%2Fe", false),
        ("Path=/f%6Fo", "/", "/foo", false), ("Path=/foo", "/", "/f%6Fo", false),
        ("Path=/x; Path=", "/a/b", "/a/c", true), ("Path=/x; Path=y", "/a/b", "/x", false),
        ("Path=/ x", "/", "/%20x", false),
    ])
    func aPathIsComparedAsItWasReceived(attribute: String, from: String, to: String, isSent: Bool) throws {
        let result = try sent("a=1; \(attribute)", from: "https://h.example\(from)", to: "https://h.example\(to)")
        #expect(result == (isSent ? "a=1" : ""))
    }

    @Test(arguments: [
        ("Domain=h.example; Domain=", "sub.h.example", "other.h.example", false),
        ("Domain=; Domain=h.example", "sub.h.example", "other.h.example", true),
        ("Domain=.h.example", "sub.h.example", "h.example", true),
        ("Domain=..h.example", "sub.h.example", "h.example", false),
        ("domain \t=\t H.EXAMPLE ", "sub.h.example", "h.example", true),
        ("Domain=h.example.", "sub.h.example", "sub.h.example", false),
        ("Domain=com.", "shop.com.", "shop.com.", false),
        ("Domain=0.0x1", "127.0.0.0x1", "127.0.0.0x1", false),
        ("Domain=münchen.example", "xn--mnchen-3ya.example", "xn--mnchen-3ya.example", false),
        ("Domain=xn--mnchen-3ya.example", "www.xn--mnchen-3ya.example", "xn--mnchen-3ya.example", true),
    ])
    func theLastDomainCounts(attribute: String, from: String, to: String, isSent: Bool) throws {
        let result = try sent("a=1; Path=/; \(attribute)", from: "https://\(from)/", to: "https://\(to)/")
        #expect(result == (isSent ? "a=1" : ""))
    }

    @Test(arguments: [
        ("foo", "=foo"), ("=foo", "=foo"), ("=", ""), ("", ""), (";", ""), ("foo=", "foo="), ("a=\t1 \t", "a=1"),
        ("a=1\t2", "a=1\t2"), ("a=1\u{0}", ""), ("a=1; x=\u{1}", ""), ("a=1\r\nb=2", ""), ("a=\u{7F}", ""),
        ("\u{A0}a=1", "\u{A0}a=1"), ("a=\"1\"", "a=\"1\""), ("a=b=c", "a=b=c"),
    ])
    func aPairIsReadAsItStands(text: String, result: String) throws {
        #expect(try sent(text, from: "https://h.example/", to: "https://h.example/") == result)
    }

    @Test
    func oversizedCookiesAndAttributesAreIgnored() throws {
        func sends(_ text: String) throws -> Bool {
            try !sent(text, from: "https://h.example/x/y", to: "https://h.example/x/y").isEmpty
        }
        let long = String(repeating: "v", count: 4095)
        #expect(try sends("n=\(long)"))
        #expect(try !sends("nn=\(long)"))
        #expect(try sends("n=\(long); Comment=\(String(repeating: "c", count: 1000))"))
        // Of an attribute that is too long nothing is left, and the path is the default again.
        let path = "/" + String(repeating: "p", count: 1023)
        #expect(try !sends("n=1; Path=\(path)"))
        #expect(try sends("n=1; Path=\(path)p"))
    }

    @Test(arguments: [
        ("+0", true), ("+10", true), ("0", false), ("-0", false), ("-1", false),
        ("-99999999999999999999999", false), ("99999999999999999999999", true), ("-", true), ("", true), ("1x", true),
        ("0x10", true), ("٠", true), ("10; Max-Age=0", false), ("0; Max-Age=10", true), ("0; Max-Age=x", false),
    ])
    func maxAgeIsReadDigitByDigit(value: String, isKept: Bool) throws {
        let result = try sent("a=1; Max-Age=\(value)", from: "https://h.example/", to: "https://h.example/")
        #expect(result == (isKept ? "a=1" : ""))
    }

    @Test(arguments: ["Max-Age=99999999999999999999999", "Max-Age=9223372036854775807", "Expires=1 Jan 9999 0:0:0"])
    func noCookieIsKeptForMoreThan400Days(attribute: String) throws {
        let url = try #require(URL(string: "https://h.example/"))
        let cookie = try #require(Cookie(setCookie: "a=1; \(attribute)", from: url, now: Self.now))
        #expect(cookie.expires == Self.now.addingTimeInterval(400 * 86_400))
    }

    @Test
    func aCookieWithoutANameIsSentWithoutAnEqualsSign() async throws {
        let server = try RawServer { _ in .response(headers: ["Set-Cookie": "bare"]) }
        let client = SimpleNetworking(baseURL: server.url()) { $0.cookieJar = CookieJar() }
        for _ in 1...2 { await client.get("/").ended() }
        #expect(server.requests.map { $0[header: "Cookie"] } == [nil, "bare"])
    }
}
