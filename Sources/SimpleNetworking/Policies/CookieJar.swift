/// Keeps cookies in memory and gives each to the hosts and paths that it was set for (RFC 6265bis).
///
/// Clients have none unless one is configured: `$0.cookieJar = CookieJar()`. Clients may share one, and it may be used
/// from any thread.
///
/// It keeps 50 cookies a domain and 3,000 in all. Beyond that, expired cookies are evicted first, then those that are not
/// `Secure`, and of these the least recently used. What comes over plain http neither replaces nor evicts a `Secure` one.
public final class CookieJar: Sendable {
    private let kept = Locked(CookieShelf())

    /// Makes an empty jar.
    public init() {}

    /// The cookies that go with a request to a URL, longest path first.
    public func cookies(for url: URL, now: Date = Date()) -> [Cookie] {
        guard let target = CookieTarget(url) else { return [] }
        return kept.withLock { $0.cookies(for: target, now: now) }
    }

    /// Keeps the cookies that a response sets.
    ///
    /// - Parameters:
    ///   - headers: The response's header fields. Each `Set-Cookie` is one cookie, commas included.
    ///   - url: The URL of the response.
    ///   - now: The time, for `Max-Age`.
    public func store(_ headers: HTTPHeaders, from url: URL, now: Date = Date()) {
        for text in headers.values(for: "Set-Cookie") {
            if let cookie = Cookie(setCookie: text, from: url, now: now) { store(cookie, now: now) }
        }
    }

    /// Keeps a cookie, or, if it has expired, removes the one that it replaces.
    ///
    /// A cookie that a response over plain http has set neither replaces nor removes one that is `Secure`.
    public func store(_ cookie: Cookie, now: Date = Date()) { kept.withLock { $0.store(cookie, now: now) } }

    /// Removes all cookies, for example when the user signs out.
    public func removeAll() { kept.withLock { $0 = CookieShelf() } }
}
