/// The cookies of a jar in the order in which they were first set, and when each was last used.
struct CookieShelf {
    private struct Entry {
        var cookie: Cookie
        /// When it was last set or sent, counted in what happens to the shelf.
        var used: Int
    }

    private var entries: [Entry] = []
    private var count = 0

    /// Gives the cookies that go somewhere, in the order in which they are sent (RFC 6265bis §5.8.3).
    mutating func cookies(for target: CookieTarget, now: Date) -> [Cookie] {
        count += 1
        let found = entries.indices.filter { entries[$0].cookie.goes(to: target, now: now) }
        for index in found { entries[index].used = count }
        // `sorted` is stable: of equal paths the older cookie comes first.
        return found.map { entries[$0].cookie }.sorted { $0.path.utf8.count > $1.path.utf8.count }
    }

    /// Keeps a cookie, unless it has expired or would pass for one that is protected from it (RFC 6265bis §5.7).
    mutating func store(_ cookie: Cookie, now: Date) {
        entries.removeAll { $0.cookie.hasExpired(at: now) }
        guard !entries.contains(where: { $0.cookie.isProtected(from: cookie) }) else { return }
        count += 1
        let old = entries.firstIndex { $0.cookie.isSame(as: cookie) }
        guard !cookie.hasExpired(at: now) else {
            if let old { entries.remove(at: old) }
            return
        }
        if let old {
            entries[old] = Entry(cookie: cookie, used: count)
        } else {
            entries.append(Entry(cookie: cookie, used: count))
            evict(beyond: 50) { $0.domain == cookie.domain }
            evict(beyond: 3000) { _ in true }
        }
    }

    /// Removes one of too many: one that is not `Secure` if there is any, and of these the least recently used.
    private mutating func evict(beyond limit: Int, _ counts: (Cookie) -> Bool) {
        let candidates = entries.indices.filter { counts(entries[$0].cookie) }
        guard candidates.count > limit else { return }
        let first = candidates.min { left, right in
            let (left, right) = (entries[left], entries[right])
            return left.cookie.isSecure == right.cookie.isSecure ? left.used < right.used : !left.cookie.isSecure
        }
        if let first { entries.remove(at: first) }
    }
}
