import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

@Suite
struct CookieStoreTests {
    @Test(arguments: 0..<20)
    func aShelfHoldsWhatAPlainListWouldHold(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
        var stored = CookieStore()
        var list = CookieList()
        var now = Date(timeIntervalSince1970: 1_800_000_000)
        let hosts = [
            "h.example", "a.h.example", "b.a.h.example", "g.example", "localhost", "a.localhost", "me.github.io",
            "github.io", "127.0.0.1", "10.0.0.1", "[::1]", "bbc.co.uk", "www.bbc.co.uk",
        ]
        for _ in 0..<600 {
            now += TimeInterval(below(3))
            let host = hosts[below(hosts.count)]
            let scheme = below(3) == 0 ? "http" : "https"
            let url = try #require(URL(string: "\(scheme)://\(host)/\(["", "x", "x/y"][below(3)])"))
            let target = try #require(CookieTarget(url))
            #expect(stored.cookies(for: target, now: now) == list.cookies(for: target, now: now))
            let attributes = [
                ["", "; Secure"], ["", "; Path=/", "; Path=/x"], ["", "; Domain=\(host)", "; Domain=h.example"],
                ["", "; Max-Age=\(below(200))"],
            ]
            let text = "c\(below(70))=1" + attributes.map { $0[below($0.count)] }.joined()
            guard let cookie = Cookie(setCookie: text, from: url, now: now) else { continue }
            stored.store(cookie, now: now)
            list.store(cookie, now: now)
        }
    }
}

/// Holds cookies as RFC 6265bis describes it, in one list.
private struct CookieList {
    private var entries: [(cookie: Cookie, used: Int)] = []
    private var count = 0

    mutating func cookies(for target: CookieTarget, now: Date) -> [Cookie] {
        count += 1
        let found = entries.indices.filter { entries[$0].cookie.goes(to: target, now: now) }
        for index in found { entries[index].used = count }
        let cookies = found.map { entries[$0].cookie }.enumerated()
        return cookies.sorted { ($1.1.path.utf8.count, $0.0) < ($0.1.path.utf8.count, $1.0) }.map(\.1)
    }

    mutating func store(_ cookie: Cookie, now: Date) {
        entries.removeAll { $0.cookie.hasExpired(at: now) }
        guard !entries.contains(where: { $0.cookie.isProtected(from: cookie) }) else { return }
        let place = entries.firstIndex { $0.cookie.isSame(as: cookie) }
        if let place { entries.remove(at: place) }
        guard !cookie.hasExpired(at: now) else { return }
        count += 1
        entries.insert((cookie, count), at: place ?? entries.endIndex)
        let ofDomain = entries.indices.filter { entries[$0].cookie.domain == cookie.domain }
        guard ofDomain.count > 50 else { return }
        let first = ofDomain.min { left, right in
            let (left, right) = (entries[left], entries[right])
            return left.cookie.isSecure == right.cookie.isSecure ? left.used < right.used : !left.cookie.isSecure
        }
        if let first { entries.remove(at: first) }
    }
}
