import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// The domains of cookies, by the public suffix list's own examples and by those that guesses get wrong.
@Suite
struct PublicSuffixTests {
    @Test(arguments: [
        ("com", nil), ("example.com", "example.com"), ("a.b.example.com", "example.com"), ("COM", nil),
        ("uk.com", nil), ("b.example.uk.com", "example.uk.com"),
        // Known by no rule.
        ("example", nil), ("b.example.example", "example.example"), ("localhost", nil),
        // A wildcard, and its exceptions.
        ("c.mm", nil), ("a.b.c.mm", "b.c.mm"), ("test.ck", nil), ("b.test.ck", "b.test.ck"), ("www.ck", "www.ck"),
        ("www.www.ck", "www.ck"), ("c.kobe.jp", nil), ("b.c.kobe.jp", "b.c.kobe.jp"),
        ("www.city.kobe.jp", "city.kobe.jp"), ("ide.kyoto.jp", nil), ("b.ide.kyoto.jp", "b.ide.kyoto.jp"),
        ("k12.ak.us", nil), ("test.k12.ak.us", "test.k12.ak.us"), ("test.ak.us", "test.ak.us"),
        // Names that look like a registry's.
        ("api.id.me", "id.me"), ("mail.web.de", "web.de"), ("co.com", nil), ("www.or.at", "www.or.at"),
        // Suffixes of companies, and below names that are none.
        ("github.io", nil), ("me.github.io", "me.github.io"), ("bucket.s3.amazonaws.com", "bucket.s3.amazonaws.com"),
        ("s3.amazonaws.com", nil), ("amazonaws.com", "amazonaws.com"),
        ("shishi.公司.cn", "shishi.xn--55qx5d.cn"), ("公司.cn", nil), ("www.食狮.中国", "xn--85x722f.xn--fiqs8s"),
    ])
    func aCookieSpansARegistrableDomainAtMost(host: String, domain: String?) {
        #expect(registrableDomain(of: host) == domain)
    }

    @Test(arguments: [
        ("co.uk", "https://co.uk/"), ("github.io", "https://github.io/"), ("localhost", "http://localhost/"),
    ])
    func cookieOfASuffixHostIsHostOnly(domain: String, text: String) throws {
        let url = try #require(URL(string: text))
        let cookie = try #require(Cookie(setCookie: "a=1; Domain=\(domain)", from: url))
        #expect(cookie.isHostOnly && cookie.domain == domain)
    }

    @Test(arguments: [
        ("kobe.jp", "https://b.c.kobe.jp/"), ("kobe.jp", "https://city.kobe.jp/"),
        ("amazonaws.com", "https://bucket.s3.amazonaws.com/"), ("com", "https://a.s3.amazonaws.com/"),
    ])
    func noCookieReachesBeyondTheSuffixOfItsHost(domain: String, text: String) throws {
        #expect(Cookie(setCookie: "a=1; Domain=\(domain)", from: try #require(URL(string: text))) == nil)
    }
}
