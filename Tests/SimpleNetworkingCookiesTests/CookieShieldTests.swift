import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// How cookies are protected from responses over plain http, and from too many others.
@Suite
struct CookieShieldTests {
    private let jar = CookieJar()
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func set(_ cookies: String..., from url: String, after seconds: TimeInterval = 0) throws {
        let headers = HTTPHeaders(fields: cookies.map { HTTPHeaders.Field("Set-Cookie", $0) })
        jar.store(headers, from: try #require(URL(string: url)), now: now.addingTimeInterval(seconds))
    }

    private func sent(to url: String, after seconds: TimeInterval = 0) throws -> [String] {
        jar.cookies(for: try #require(URL(string: url)), now: now.addingTimeInterval(seconds))
            .map { "\($0.name)=\($0.value)" }
    }

    @Test(arguments: [
        "sid=evil; Path=/", "sid=; Path=/; Max-Age=0", "sid=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        "sid=evil; Path=/; Domain=h.example", "sid=evil; Path=/account",
    ])
    func plainHTTPNeitherReplacesNorRemovesNorOverlaysASecureCookie(text: String) throws {
        try set("sid=good; Secure; Path=/", from: "https://h.example/")
        try set(text, from: "http://h.example/")
        #expect(try sent(to: "https://h.example/account") == ["sid=good"])
    }

    @Test
    func subdomainCannotOverlayASecureCookieOverPlainHTTP() throws {
        try set("sid=good; Secure; Path=/", from: "https://h.example/")
        try set("sid=evil; Path=/; Domain=h.example", "sid=evil; Path=/", from: "http://sub.h.example/")
        #expect(try sent(to: "https://h.example/") == ["sid=good"])
        #expect(try sent(to: "https://sub.h.example/") == [])
    }

    @Test
    func parsedCookieFromPlainHTTPCannotReplaceASecureOne() throws {
        try set("sid=good; Secure; Path=/", from: "https://h.example/")
        let url = try #require(URL(string: "http://h.example/"))
        jar.store(try #require(Cookie(setCookie: "sid=evil; Path=/", from: url)), now: now)
        #expect(try sent(to: "https://h.example/") == ["sid=good"])
    }

    @Test
    func cookiesThatShadowNoSecureCookieAreKept() throws {
        try set("sid=good; Secure; Path=/login", from: "https://h.example/")
        try set("sid=plain; Path=/", "other=1; Path=/login", from: "http://h.example/")
        #expect(try sent(to: "https://h.example/login") == ["sid=good", "other=1", "sid=plain"])
        try set("sid=also; Path=/login/en", from: "http://h.example/")
        #expect(try sent(to: "https://h.example/login/en") == ["sid=good", "other=1", "sid=plain"])
    }

    @Test
    func overTLSASecureCookieIsReplacedByAnyOther() throws {
        try set("sid=1; Secure; Path=/", "sid=2; Path=/", from: "https://h.example/")
        #expect(try sent(to: "http://h.example/") == ["sid=2"])
    }

    @Test
    func plainHTTPEvictsNoSecureCookieOfADomain() throws {
        for number in 0..<50 { try set("s\(number)=1; Secure", from: "https://h.example/") }
        for number in 0..<60 { try set("p\(number)=1", from: "http://h.example/") }
        #expect(try sent(to: "https://h.example/") == (0..<50).map { "s\($0)=1" })
    }

    @Test
    func plainHTTPEvictsNoSecureCookieOfAnotherDomain() throws {
        for host in 0..<60 {
            for number in 0..<50 { try set("s\(number)=1; Secure", from: "https://h\(host).example/") }
        }
        for host in 0..<60 { try set("p=1", from: "http://g\(host).example/") }
        for host in 0..<60 { #expect(try sent(to: "https://h\(host).example/").count == 50) }
        try set("s=1; Secure", from: "https://new.example/")
        #expect(try sent(to: "https://new.example/") == ["s=1"])
        #expect(try (0..<3).map { try sent(to: "https://h\($0).example/").count } == [0, 0, 50])
    }

    @Test
    func theLeastRecentlyUsedIsEvictedFirst() throws {
        for number in 0..<50 { try set("c\(number)=1; Path=/\(number)", from: "https://h.example/") }
        for number in 0..<10 { #expect(try sent(to: "https://h.example/\(number)") == ["c\(number)=1"]) }
        try set("new=1; Path=/", from: "https://h.example/")
        #expect(try sent(to: "https://h.example/0") == ["c0=1", "new=1"])
        #expect(try sent(to: "https://h.example/10") == ["new=1"])
        #expect(try sent(to: "https://h.example/11") == ["c11=1", "new=1"])
    }

    @Test
    func expiredCookiesAreEvictedFirst() throws {
        for number in 0..<49 { try set("c\(number)=1; Secure", from: "https://h.example/") }
        try set("short=1; Secure; Max-Age=1", from: "https://h.example/")
        try set("new=1", from: "https://h.example/", after: 2)
        #expect(try sent(to: "https://h.example/", after: 2) == (0..<49).map { "c\($0)=1" } + ["new=1"])
    }

    @Test
    func fiftyOfADomainAreKeptAndThreeThousandInAllOfWhichAHundredGoAtOnce() throws {
        for host in 0..<61 {
            for number in 0..<51 { try set("c\(number)=1", from: "https://h\(host).example/") }
        }
        let counts = try (0..<61).map { try sent(to: "https://h\($0).example/").count }
        // The hundred went with the 3,001st, and 49 came after it.
        #expect(counts == [0, 0] + Array(repeating: 50, count: 59))
    }

    @Test
    func aCookieOfTheHostAndOneOfItsDomainAreTwo() throws {
        try set("a=host; Path=/", "a=domain; Path=/; Domain=h.example", from: "https://h.example/")
        #expect(try sent(to: "https://h.example/") == ["a=host", "a=domain"])
        #expect(try sent(to: "https://sub.h.example/") == ["a=domain"])
    }
}
