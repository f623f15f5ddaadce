import SimpleNetworkingFeatureSupport

/// Holds the cookies of a jar; a pure value.
struct CookieStore {
    private struct Entry {
        let cookie: Cookie
        /// The number of the store that first set the cookie.
        let created: Int
        /// The number of the store or look-up that last used the cookie.
        var used: Int

        /// The cookie's place among those to evict: first those that are not `Secure`, least recently used first.
        var place: Int { cookie.isSecure ? used | 1 << 62 : used }
    }

    /// The number of times that all cookies were removed.
    let generation: Int
    /// The number of times that all cookies were removed other than by a refresh, which signs in the same user.
    var users: Int
    /// The cookies by the last two labels of their domains, so that no look-up reads all cookies.
    private var groups: [String: [Entry]] = [:]
    private var total = 0
    /// The number of stores and look-ups.
    private var count = 0
    /// The earliest date on which a cookie may expire.
    private var firstExpiry: Date?

    init(generation: Int = 0, users: Int = 0) {
        self.generation = generation
        self.users = users
    }

    /// Returns the cookies for a target in the order in which they are sent (RFC 6265bis §5.8.3).
    mutating func cookies(for target: CookieTarget, now: Date) -> [Cookie] {
        count += 1
        let group = Self.group(of: target.host)
        let entries = groups[group] ?? []
        let found = entries.indices.filter { entries[$0].cookie.goes(to: target, now: now) }
        for index in found { groups[group]?[index].used = count }
        // Among equal paths, the older cookie comes first.
        return found.map { entries[$0] }.ordered(by: \.created).map(\.cookie).ordered { -$0.path.utf8.count }
    }

    /// Stores a cookie, unless it has expired or could be mistaken for a protected cookie (RFC 6265bis §5.7).
    mutating func store(_ cookie: Cookie, now: Date) {
        removeExpired(at: now)
        guard !isProtected(from: cookie) else { return }
        let group = Self.group(of: cookie.domain)
        let place = groups[group]?.firstIndex { $0.cookie.isSame(as: cookie) }
        let former = place.flatMap { remove(at: $0, of: group) }
        guard !cookie.hasExpired(at: now) else { return }
        count += 1
        groups[group, default: []].append(Entry(cookie: cookie, created: former?.created ?? count, used: count))
        total += 1
        if let expires = cookie.expires { firstExpiry = min(firstExpiry ?? expires, expires) }
        evict(of: cookie.domain, in: group)
        evict()
    }

    /// Returns the last two labels of a domain, which it has in common with its subdomains.
    private static func group(of domain: String) -> String {
        domain.pieces(between: ".").suffix(2).joined(separator: ".")
    }

    private func isProtected(from cookie: Cookie) -> Bool {
        // The name of a domain with one label is the end of others' names, so all are looked at.
        cookie.isUnprotected && groups.values.contains { $0.contains { $0.cookie.isProtected(from: cookie) } }
    }

    private mutating func removeExpired(at now: Date) {
        guard let expiry = firstExpiry, expiry <= now else { return }
        keep { !$0.cookie.hasExpired(at: now) }
        firstExpiry = groups.values.lazy.flatMap { $0.compactMap(\.cookie.expires) }.min()
    }

    @discardableResult
    private mutating func remove(at place: Int, of group: String) -> Entry? {
        let entry = groups[group]?.remove(at: place)
        if groups[group]?.isEmpty ?? false { groups[group] = nil }
        total -= 1
        return entry
    }

    private mutating func keep(_ isKept: (Entry) -> Bool) {
        groups = groups.mapValues { $0.filter(isKept) }.filter { !$0.value.isEmpty }
        total = groups.values.reduce(0) { $0 + $1.count }
    }

    /// Evicts one cookie of a domain that has more than 50.
    private mutating func evict(of domain: String, in group: String) {
        guard let entries = groups[group], entries.count > 50 else { return }
        var count = 0
        var first: Int?
        // A simple loop, because a full domain evicts a cookie for each one that is set.
        for index in entries.indices where entries[index].cookie.domain == domain {
            count += 1
            if first.map({ entries[index].place < entries[$0].place }) ?? true { first = index }
        }
        if count > 50, let first { remove(at: first, of: group) }
    }

    /// Evicts up to 100 cookies if there are more than 3,000, but no `Secure` cookies if there are others.
    ///
    /// With one at a time, every further cookie of a full jar would be compared with all others.
    private mutating func evict() {
        guard total > 3000 else { return }
        let entries = groups.values.flatMap { $0 }
        let others = entries.filter { !$0.cookie.isSecure }
        let candidates = others.isEmpty ? entries : others
        let evicted = Set(candidates.ordered(by: \.used).prefix(100).map(\.created))
        keep { !evicted.contains($0.created) }
    }
}
