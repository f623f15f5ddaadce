/// Keeps cookies in memory and gives each to the hosts and paths that it was set for (RFC 6265).
///
/// Clients have none unless one is configured: `$0.cookieJar = CookieJar()`. Clients may share one, and it may be used
/// from any thread. It forgets the oldest cookies beyond 50 a domain and 3,000 in all.
public final class CookieJar: Sendable {
    private let kept = Locked<[Cookie]>([])

    /// Makes an empty jar.
    public init() {}

    /// The cookies that go with a request to an address, longest path first.
    public func cookies(for url: URL, now: Date = Date()) -> [Cookie] {
        let found = kept.withLock { $0.filter { $0.goes(to: url, now: now) } }
        // `sorted` is stable: of equal paths the older cookie comes first (RFC 6265 §5.4).
        return found.sorted { $0.path.utf8.count > $1.path.utf8.count }
    }

    /// Keeps the cookies that an answer sets.
    ///
    /// - Parameters:
    ///   - headers: The answer's header fields.
    ///   - url: The address that was answered.
    ///   - now: The time, for `Max-Age`.
    public func store(_ headers: HTTPHeaders, from url: URL, now: Date = Date()) {
        for text in headers.setCookies {
            if let cookie = Cookie(setCookie: text, from: url, now: now) { store(cookie, now: now) }
        }
    }

    /// Keeps a cookie, or, if it has ended, forgets the one that it replaces.
    public func store(_ cookie: Cookie, now: Date = Date()) {
        kept.withLock { kept in
            let isOver = cookie.expires.map { $0 <= now } ?? false
            if let index = kept.firstIndex(where: { $0.isSame(as: cookie) }) {
                if isOver { kept.remove(at: index) } else { kept[index] = cookie }
            } else if !isOver {
                kept.append(cookie)
                Self.limit(&kept, domain: cookie.domain)
            }
        }
    }

    /// Forgets all cookies, for example when the user signs out.
    public func removeAll() { kept.withLock { $0 = [] } }

    private static func limit(_ kept: inout [Cookie], domain: String) {
        let excess = kept.indices.filter { kept[$0].domain == domain }.count - 50
        if excess > 0, let first = kept.firstIndex(where: { $0.domain == domain }) { kept.remove(at: first) }
        if kept.count > 3000 { kept.removeFirst() }
    }
}

extension HTTPHeaders {
    /// Each cookie that is set; URLSession on Linux joins them with commas, which dates hold as well.
    fileprivate var setCookies: [String] {
        values(for: "Set-Cookie").flatMap { text -> [String] in
            var cookies: [String] = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                let name = part.prefix { $0 != "=" && $0 != ";" }
                let startsCookie = name.count < part.count && part[name.endIndex] == "=" && name.trimmed.isToken
                if startsCookie || cookies.isEmpty {
                    cookies.append(String(part))
                } else {
                    cookies[cookies.count - 1] += "," + part
                }
            }
            return cookies
        }
    }
}
