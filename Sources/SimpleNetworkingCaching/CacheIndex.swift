import SimpleNetworkingFeatureSupport

/// Tracks a cache's entries while the cache's lock is held, and returns the work to do on the files.
struct CacheIndex {
    /// Holds the work to do on the files, in this order.
    struct Work {
        var removed: [CacheKey.Entry] = []
        var written: StoredResponse?

        var isEmpty: Bool { removed.isEmpty && written == nil }
    }

    /// The maximum number of variants of one URL for each account.
    static let variants = 8
    /// The divisor that determines the largest share of a limit that one response may use.
    static let share = 10

    private(set) var memory: RecencyList<CacheKey.Entry, StoredResponse>
    /// The entries on disk, each with a number that changes when it is stored again.
    private(set) var disk: RecencyList<CacheKey.Entry, Int>
    private var stored = 0
    /// The entries in memory and on disk for each URL, oldest first.
    private var entries: [Digest: [CacheKey.Entry]] = [:]
    /// The number of invalidations.
    private(set) var changes = 0
    private var lastChanges: [Digest: Int] = [:]
    /// The number of invalidations at the last removal of all responses.
    private var lastRemoval = 0
    /// The number of invalidations up to which any URL may have been invalidated.
    private var oldestKnown = 0
    /// Responses that are no longer stored.
    ///
    /// They are kept until the lock is released, because their content may be memory that the caller provided.
    private var dropped: [StoredResponse] = []

    init(memoryLimit: Int, diskLimit: Int) {
        memory = RecencyList(limit: memoryLimit)
        disk = RecencyList(limit: diskLimit)
    }

    mutating func useMemoryOnly() { disk = RecencyList(limit: 0) }

    func holds(_ entry: CacheKey.Entry) -> Bool { memory.contains(entry) || disk.contains(entry) }

    /// Adds the responses found in the folder.
    mutating func load(_ files: [(entry: CacheKey.Entry, size: Int)]) -> Work {
        var work = Work()
        for (entry, size) in files {
            work.removed += disk.insert(entry, stored, cost: size)
            note(entry)
        }
        forget(work.removed)
        return work
    }

    /// Returns the response in memory that matches a request, or else the entries on disk that may match it.
    mutating func find(_ key: CacheKey) -> (found: StoredResponse?, unread: [CacheKey.Entry: Int]) {
        let mine = entries[key.url, default: []].filter { $0.partition == key.partition }
        let matching = mine.compactMap { memory.peek($0) }.filter { $0.matches(key) }
        if let found = matching.max(by: { $0.responseTime < $1.responseTime }) {
            use(found.entry)
            return (found, [:])
        }
        let unread = mine.filter { !memory.contains($0) }.compactMap { entry in disk.peek(entry).map { (entry, $0) } }
        return (nil, Dictionary(unread) { first, _ in first })
    }

    /// Adds a response that was read to memory, and returns whether it is still stored.
    mutating func promote(_ response: StoredResponse) -> Bool {
        guard disk.contains(response.entry), !memory.contains(response.entry) else {
            return memory.contains(response.entry)
        }
        use(response.entry)
        remember(response)
        return true
    }

    /// Removes the entry of a damaged file, unless the file is about to be written again.
    mutating func lost(_ entry: CacheKey.Entry, _ number: Int) {
        guard disk.peek(entry) == number else { return }
        disk.remove(entry)
        forget([entry])
    }

    /// Stores a response, unless it has been invalidated.
    ///
    /// It is invalidated if its URL was invalidated after the request, or if all responses were removed after the
    /// attempt began.
    mutating func store(_ response: StoredResponse, of moments: CacheMoments, mayWrite: Bool) -> Work? {
        let entry = response.entry
        guard lastRemoval <= moments.attempt else { return nil }
        guard max(lastChanges[entry.url] ?? 0, oldestKnown) <= moments.request else { return nil }
        var work = Work()
        dropped += [memory.remove(entry)].compactMap { $0 }
        remember(response)
        if mayWrite, response.cost <= disk.limit / Self.share {
            stored += 1
            work.removed += disk.insert(entry, stored, cost: response.cost)
            work.written = response
        } else if disk.contains(entry) {
            disk.remove(entry)
            work.removed.append(entry)
        }
        entries[entry.url]?.removeAll { $0 == entry }
        if holds(entry) { note(entry) }
        let alike = entries[entry.url, default: []].filter { $0.partition == entry.partition }
        for surplus in alike.dropLast(Self.variants) { work.removed += remove(surplus) }
        forget(work.removed + [entry])
        return work
    }

    /// Removes a response whose successor is not stored.
    mutating func drop(_ entry: CacheKey.Entry) -> Work { Work(removed: remove(entry)) }

    /// Invalidates a URL for all accounts.
    mutating func removeAll(for url: Digest) -> Work {
        changes += 1
        if lastChanges.count >= 1000 {
            lastChanges = [:]
            oldestKnown = changes
        }
        lastChanges[url] = changes
        return Work(removed: entries[url, default: []].flatMap { remove($0) })
    }

    mutating func removeAll() {
        changes += 1
        lastRemoval = changes
        oldestKnown = changes
        lastChanges = [:]
        dropped += memory.removeAll()
        disk.removeAll()
        entries = [:]
    }

    private mutating func use(_ entry: CacheKey.Entry) {
        memory.use(entry)
        disk.use(entry)
    }

    private mutating func remember(_ response: StoredResponse) {
        guard response.cost <= memory.limit / Self.share else { return }
        var evicted: [StoredResponse] = []
        forget(memory.insert(response.entry, response, cost: response.cost) { evicted.append($0) })
        dropped += evicted
    }

    /// Returns the responses to release after the lock.
    mutating func takeDropped() -> [StoredResponse] {
        defer { dropped = [] }
        return dropped
    }

    private mutating func remove(_ entry: CacheKey.Entry) -> [CacheKey.Entry] {
        let isOnDisk = disk.contains(entry)
        dropped += [memory.remove(entry)].compactMap { $0 }
        disk.remove(entry)
        forget([entry])
        return isOnDisk ? [entry] : []
    }

    private mutating func note(_ entry: CacheKey.Entry) { entries[entry.url, default: []].append(entry) }

    private mutating func forget(_ gone: [CacheKey.Entry]) {
        for entry in gone where !holds(entry) {
            entries[entry.url]?.removeAll { $0 == entry }
            if entries[entry.url]?.isEmpty == true { entries[entry.url] = nil }
        }
    }
}

/// Holds a cache's counts of invalidations.
///
/// A response isn't stored if an invalidation followed its request.
struct CacheMoments {
    /// The count when the attempt began.
    ///
    /// The attempt's redirects belong to the same user.
    let attempt: Int
    /// The count when the request was sent, possibly to follow a redirect.
    let request: Int
}
