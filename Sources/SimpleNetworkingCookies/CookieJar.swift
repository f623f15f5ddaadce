import SimpleNetworkingFeatureSupport

/// Stores cookies in memory, and sends each cookie to the hosts and paths for which it was set (RFC 6265bis).
///
/// By default, a client has no cookie jar. To add a jar, set `$0.cookieJar = CookieJar()`. Clients can share a jar, and
/// you can use it from any thread.
///
/// A jar stores up to 50 cookies for each domain, and 3,000 in total. When these limits are exceeded, the jar evicts
/// expired cookies first, and then cookies that are not `Secure`. Among equal candidates, the jar evicts the least
/// recently used cookie; beyond 3,000, it evicts up to 100 of them at once. A cookie that was set over plain HTTP neither
/// replaces nor evicts a `Secure` cookie.
///
/// As in browsers and in curl, `Secure` cookies are also stored and sent over plain HTTP if the host is `localhost`, a
/// name that ends with `.localhost`, or a loopback address (`127.0.0.0/8` or `[::1]`).
public final class CookieJar: Sendable {
    private let kept = Locked(CookieStore())

    /// Creates an empty jar.
    public init() {}

    /// Returns the cookies for a request to the given URL, longest path first.
    public func cookies(for url: URL) -> [Cookie] { cookies(for: url, now: Date()) }

    func cookies(for url: URL, now: Date) -> [Cookie] {
        guard let target = CookieTarget(url) else { return [] }
        return kept.withLock { $0.cookies(for: target, now: now) }
    }

    /// Holds the cookies for a request, and the generation and the user to which they belong.
    struct Contents {
        let cookies: [Cookie]
        let generation: Int
        let user: Int
    }

    /// Returns the cookies for a request, all read at once.
    func contents(for url: URL) -> Contents {
        let target = CookieTarget(url)
        return kept.withLock { stored in
            let cookies = target.map { stored.cookies(for: $0, now: Date()) } ?? []
            return Contents(cookies: cookies, generation: stored.generation, user: stored.users)
        }
    }

    /// Tells whether cookies were removed, or belong to another user or to another jar.
    var version: [Int] {
        let jar = Int(bitPattern: ObjectIdentifier(self))
        return kept.withLock { [jar, $0.generation, $0.users] }
    }

    /// The number of the user to whom the cookies belong.
    var user: Int { kept.withLock { $0.users } }

    /// Stores the cookies of a response, unless all cookies were removed since the generation was read.
    ///
    /// The client reads the generation before it sends the request. After a removal, the response belongs to the
    /// previous user.
    func store(_ headers: HTTPHeaders, from url: URL, since generation: Int) {
        store(headers, from: url, now: Date(), since: generation)
    }

    /// Stores the cookies that a response sets.
    ///
    /// - Parameters:
    ///   - headers: The response's header fields. Each `Set-Cookie` field sets one cookie, even if it contains commas.
    ///   - url: The URL of the response.
    public func store(_ headers: HTTPHeaders, from url: URL) { store(headers, from: url, now: Date()) }

    func store(_ headers: HTTPHeaders, from url: URL, now: Date, since generation: Int? = nil) {
        let texts = headers.values(for: "Set-Cookie")
        guard !texts.isEmpty, let source = CookieTarget(url) else { return }
        let cookies = Cookie.cookies(setBy: texts, from: source, now: now)
        if cookies.isEmpty { return }
        kept.withLock { stored in
            guard generation == nil || generation == stored.generation else { return }
            for cookie in cookies { stored.store(cookie, now: now) }
        }
    }

    /// Stores a cookie.
    ///
    /// If the cookie has expired, removes the cookie that it replaces.
    ///
    /// A cookie that was set over plain HTTP neither replaces nor removes a `Secure` cookie.
    func store(_ cookie: Cookie, now: Date = Date()) { kept.withLock { $0.store(cookie, now: now) } }

    /// Removes all cookies, for example, when the user signs out.
    ///
    /// Cookies from responses to requests in flight are not stored. A request that was sent before, and is waiting to be
    /// resent, ends with the error of a sign-out instead, so that it isn't sent with the next user's cookies. Only if a
    /// refresh of a credential calls this method, the requests are resent after the refresh has succeeded, because their
    /// user is the same. The call must then come from the refresh's own task, or from a handler of its requests, and not
    /// from another queue.
    public func removeAll() {
        let isRefresh = RefreshScope.current.noteRemoval(from: self)
        kept.withLock { stored in
            stored = CookieStore(generation: stored.generation + 1, users: stored.users + (isRefresh ? 0 : 1))
        }
    }
}

extension CookieJar: UserStore {
    package func changeUser() { kept.withLock { $0.users += 1 } }
}
