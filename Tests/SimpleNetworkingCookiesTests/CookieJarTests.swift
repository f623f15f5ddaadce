import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

@Suite
struct CookieJarTests {
    private let jar = CookieJar()
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func set(_ cookies: String..., from url: String) throws {
        let headers = HTTPHeaders(fields: cookies.map { HTTPHeaders.Field("Set-Cookie", $0) })
        jar.store(headers, from: try #require(URL(string: url)), now: now)
    }

    private func sent(to url: String, after seconds: TimeInterval = 0) throws -> String {
        let url = try #require(URL(string: url))
        return jar.cookies(for: url, now: now.addingTimeInterval(seconds)).map { "\($0.name)=\($0.value)" }
            .joined(separator: "; ")
    }

    @Test(arguments: [
        ("a=1", "https://h.example/x", "https://h.example/y", "a=1"),
        ("a=1", "https://h.example/", "https://H.EXAMPLE:444/", "a=1"),
        ("a=1", "https://h.example/", "http://h.example/", "a=1"),
        ("a=1", "https://h.example/", "https://sub.h.example/", ""),
        ("a=1; Domain=h.example", "https://h.example/", "https://sub.h.example/", "a=1"),
        ("a=1; Domain=.h.example", "https://sub.h.example/", "https://other.h.example/", "a=1"),
        ("a=1; Domain=h.example", "https://sub.h.example/", "https://evilh.example/", ""),
        ("a=1; Domain=other.example", "https://h.example/", "https://other.example/", ""),
        ("a=1; Domain=sub.h.example", "https://h.example/", "https://sub.h.example/", ""),
        ("a=1; Domain=example", "https://h.example/", "https://g.example/", ""),
        ("a=1; Domain=co.uk", "https://shop.co.uk/", "https://bank.co.uk/", ""),
        ("a=1; Domain=bbc.uk", "https://www.bbc.uk/", "https://news.bbc.uk/", "a=1"),
        ("a=1; Domain=0.0.1", "http://127.0.0.1/", "http://126.0.0.1/", ""),
        ("a=1; Domain=127.0.0.1", "http://127.0.0.1/", "http://127.0.0.1:8080/", "a=1"),
        ("a=1; Path=/docs", "https://h.example/", "https://h.example/docs/x", "a=1"),
        ("a=1; Path=/docs", "https://h.example/", "https://h.example/docsx", ""),
        ("a=1; Path=/docs/", "https://h.example/", "https://h.example/docs/x", "a=1"),
        ("a=1; Path=docs", "https://h.example/a/b", "https://h.example/a/c", "a=1"),
        ("a=1", "https://h.example/a/b", "https://h.example/", ""),
        ("a=1; Secure", "https://h.example/", "http://h.example/", ""),
        ("a=1; Secure", "http://h.example/", "https://h.example/", ""),
        ("__Secure-a=1", "https://h.example/", "https://h.example/", ""),
        ("__Host-a=1; Secure; Path=/", "https://h.example/", "https://h.example/", "__Host-a=1"),
        ("__Host-a=1; Secure; Path=/; Domain=h.example", "https://sub.h.example/", "https://sub.h.example/", ""),
        (" a = 1 ; HttpOnly", "https://h.example/", "https://h.example/", "a=1"),
        ("a=", "https://h.example/", "https://h.example/", "a="),
        ("a=1; Domain=github.io", "https://me.github.io/", "https://other.github.io/", ""),
        ("a=1; Domain=id.me", "https://api.id.me/", "https://www.id.me/", "a=1"),
        ("a=b=c", "https://h.example/", "https://h.example/", "a=b=c"),
        ("a=1\u{1}", "https://h.example/", "https://h.example/", ""),
    ])
    func aCookieGoesWhereItWasSetFor(cookie: String, from: String, to: String, sends: String) throws {
        try set(cookie, from: from)
        #expect(try sent(to: to) == sends)
    }

    @Test(arguments: [
        ("http://localhost/", "http://localhost:8080/", "a=1"), ("http://localhost/", "https://localhost/", "a=1"),
        ("https://localhost/", "http://localhost/", "a=1"), ("http://LOCALHOST/", "http://localhost/", "a=1"),
        ("http://localhost./", "http://localhost./", "a=1"), ("http://a.b.localhost/", "http://a.b.localhost/", "a=1"),
        ("http://127.0.0.1/", "http://127.0.0.1/", "a=1"), ("http://127.255.3.4/", "http://127.255.3.4/", "a=1"),
        ("http://[::1]/", "http://[::1]:1/", "a=1"), ("http://[0:0:0:0:0:0:0:1]/", "http://[0:0:0:0:0:0:0:1]/", "a=1"),
        ("http://localhost/", "http://127.0.0.1/", ""), ("http://localhost.example/", "http://localhost.example/", ""),
        ("http://notlocalhost/", "http://notlocalhost/", ""), ("http://128.0.0.1/", "http://128.0.0.1/", ""),
        ("http://[::2]/", "http://[::2]/", ""), ("http://10.0.0.1/", "http://10.0.0.1/", ""),
        ("http://127.0.0.1.example/", "http://127.0.0.1.example/", ""), ("http://[fe80::1]/", "http://[fe80::1]/", ""),
    ])
    func aSecureCookieNeedsNoTLSOnThisComputerOnly(from: String, to: String, sends: String) throws {
        for cookie in ["a=1; Secure", "a=1; Secure; Path=/; HttpOnly"] {
            try set(cookie, from: from)
            #expect(try sent(to: to) == sends)
        }
        try set("__Host-a=1; Secure; Path=/", "__Secure-a=1; Secure", "__Secure-b=1", "__Host-b=1; Path=/", from: from)
        let names = sends.isEmpty ? [] : [sends, "__Host-a=1", "__Secure-a=1"]
        #expect(try sent(to: to) == names.joined(separator: "; "))
    }

    @Test
    func onThisComputerACookieWithoutSecureReplacesOneWithIt() throws {
        try set("a=1; Secure", from: "http://localhost/")
        try set("a=2", from: "http://localhost/")
        #expect(try sent(to: "http://localhost/") == "a=2")
    }

    @Test(arguments: [
        ("a=1; Max-Age=10", "a=1", ""),
        ("a=1; Max-Age=0", "", ""),
        ("a=1; Max-Age=-1", "", ""),
        ("a=1; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "a=1", ""),
        ("a=1; Expires=Fri, 15 Jan 2027 08:00:10 GMT", "a=1", ""),
        ("a=1; Expires=Friday, 15-Jan-27 08:00:10 GMT", "a=1", ""),
        ("a=1; Expires=Fri Jan 15 08:00:10 2027", "a=1", ""),
        ("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "", ""),
        ("a=1; Expires=whenever", "a=1", "a=1"),
    ])
    func aCookieExpiresByMaxAgeOrExpires(cookie: String, atOnce: String, after11Seconds: String) throws {
        try set(cookie, from: "https://h.example/")
        #expect(try sent(to: "https://h.example/") == atOnce)
        #expect(try sent(to: "https://h.example/", after: 11) == after11Seconds)
    }

    @Test(arguments: ["Max-Age=10", "Expires=Fri, 15 Jan 2027 08:00:10 GMT"])
    func aCookieIsGoneAtItsVeryEnd(attribute: String) throws {
        try set("a=1; \(attribute)", from: "https://h.example/")
        #expect(try sent(to: "https://h.example/", after: 9.9) == "a=1")
        #expect(try sent(to: "https://h.example/", after: 10) == "")
    }

    @Test
    func aCookieReplacesTheOneOfItsNameDomainAndPath() throws {
        try set("a=1", "b=1", "a=2", "b=9; Max-Age=0", "a=3; Path=/x", from: "https://h.example/")
        #expect(try sent(to: "https://h.example/x") == "a=3; a=2")
    }

    @Test
    func theLeastRecentlyUsedCookiesAreEvictedBeyondTheLimit() throws {
        for number in 0..<60 { try set("c\(number)=1", from: "https://h.example/") }
        let kept = try sent(to: "https://h.example/").split(separator: ";")
        #expect(kept.count == 50)
        #expect(kept.first == "c10=1")
    }

    @Test
    func cookiesAreHiddenInText() throws {
        try set("a=s3cret", from: "https://h.example/")
        #expect("\(jar.cookies(for: try #require(URL(string: "https://h.example/"))))" == "[a=‹secret› for h.example/]")
    }

    @Test
    func aClientKeepsNoCookiesUnlessItHasAJar() async throws {
        let server = StubTransport().on("*", .status(200, headers: ["Set-Cookie": "id=7; Path=/"]))
        let without = SimpleNetworking(over: server)
        let with = SimpleNetworking(over: server) { $0.cookieJar = CookieJar() }
        for client in [without, with] {
            for _ in 1...2 { await client.get("/x").ended() }
        }
        await with.get("/x") { $0.header("Cookie", "id=own; more=1") }.ended()
        #expect(server.requests.map { $0.headers["Cookie"] } == [nil, nil, nil, "id=7", "id=own; more=1"])
    }

    @Test
    func eachRedirectGetsTheCookiesOfItsURL() async throws {
        let server = StubTransport()
            .on("/login", StubResponse(status: 302, headers: ["Location": "/home", "Set-Cookie": "id=7; Path=/home"]))
            .on("/home", .redirect(to: "https://other.example/"))
            .on("/", .json("{}"))
        let client = SimpleNetworking(over: server) { $0.cookieJar = CookieJar() }
        await client.get("/login").ended()
        #expect(server.requests.map { $0.headers["Cookie"] } == [nil, "id=7", nil])
    }
}
