/// What a cache holds and where: pure bookkeeping, kept under a lock, that tells what is to be done to the files.
struct CacheIndex {
    /// What is to be done to the files, in this order.
    struct Work {
        var removed: [CacheKey.Entry] = []
        var written: StoredResponse?

        var isEmpty: Bool { removed.isEmpty && written == nil }
    }

    /// How many answers to one address and account may differ by what they vary with.
    static let variants = 8
    /// Which part of a limit one answer may take.
    static let share = 10

    private var memory: RecencyList<CacheKey.Entry, StoredResponse>
    /// Each with a number that changes when it is stored anew.
    private var disk: RecencyList<CacheKey.Entry, Int>
    private var stored = 0
    /// Both of them, in the order of being stored.
    private var entries: [Digest: [CacheKey.Entry]] = [:]
    /// Counts what was removed since it was no longer true.
    private(set) var changes = 0
    private var lastChanges: [Digest: Int] = [:]
    /// Before this, anything may have changed.
    private var oldestKnown = 0

    init(memoryLimit: Int, diskLimit: Int) {
        memory = RecencyList(limit: memoryLimit)
        disk = RecencyList(limit: diskLimit)
    }

    /// Gives the disk up.
    mutating func useMemoryOnly() { disk = RecencyList(limit: 0) }

    func holds(_ entry: CacheKey.Entry) -> Bool { memory.contains(entry) || disk.contains(entry) }

    var memorySize: Int { memory.cost }
    var diskSize: Int { disk.cost }

    /// Takes over what the folder holds.
    mutating func load(_ files: [(entry: CacheKey.Entry, size: Int)]) -> Work {
        var work = Work()
        for (entry, size) in files {
            work.removed += disk.insert(entry, stored, cost: size)
            note(entry)
        }
        forget(work.removed)
        return work
    }

    /// The answers that fit a request, and entries whose files would have to be read to know whether they do.
    mutating func find(_ key: CacheKey) -> (found: StoredResponse?, unread: [CacheKey.Entry: Int]) {
        let mine = entries[key.address, default: []].filter { $0.partition == key.partition }
        let kept = mine.compactMap { memory.peek($0) }
        let found = kept.filter { $0.answers(key) }.max { $0.responseTime < $1.responseTime }
        if let found {
            use(found.entry)
            return (found, [:])
        }
        let unread = mine.filter { !memory.contains($0) }.compactMap { entry in disk.peek(entry).map { (entry, $0) } }
        return (nil, Dictionary(unread) { first, _ in first })
    }

    /// Takes an answer to memory that was read, unless it was removed meanwhile, and says whether it still counts.
    mutating func promote(_ response: StoredResponse) -> Bool {
        guard disk.contains(response.entry), !memory.contains(response.entry) else {
            return memory.contains(response.entry)
        }
        use(response.entry)
        remember(response)
        return true
    }

    /// A file is not what it was, and has been removed, unless it is about to be written anew.
    mutating func lost(_ entry: CacheKey.Entry, _ number: Int) {
        guard disk.peek(entry) == number else { return }
        disk.remove(entry)
        forget([entry])
    }

    /// Stores an answer, unless something said since then that it is out of date.
    mutating func store(_ response: StoredResponse, since change: Int, mayWrite: Bool) -> Work? {
        let entry = response.entry
        guard max(lastChanges[entry.address] ?? 0, oldestKnown) <= change else { return nil }
        var work = Work()
        memory.remove(entry)
        remember(response)
        if mayWrite, response.cost <= disk.limit / Self.share {
            stored += 1
            work.removed += disk.insert(entry, stored, cost: response.cost)
            work.written = response
        } else if disk.contains(entry) {
            disk.remove(entry)
            work.removed.append(entry)
        }
        entries[entry.address]?.removeAll { $0 == entry }
        if holds(entry) { note(entry) }
        let alike = entries[entry.address, default: []].filter { $0.partition == entry.partition }
        for surplus in alike.dropLast(Self.variants) { work.removed += remove(surplus) }
        forget(work.removed + [entry])
        return work
    }

    /// Removes one answer that has been replaced by something that is not stored.
    mutating func drop(_ entry: CacheKey.Entry) -> Work { Work(removed: remove(entry)) }

    /// Removes what is stored for an address, for all accounts.
    mutating func removeAll(for address: Digest) -> Work {
        changes += 1
        if lastChanges.count >= 1000 {
            lastChanges = [:]
            oldestKnown = changes
        }
        lastChanges[address] = changes
        return Work(removed: entries[address, default: []].flatMap { remove($0) })
    }

    mutating func removeAll() {
        changes += 1
        oldestKnown = changes
        lastChanges = [:]
        memory.removeAll()
        disk.removeAll()
        entries = [:]
    }

    private mutating func use(_ entry: CacheKey.Entry) {
        memory.use(entry)
        disk.use(entry)
    }

    private mutating func remember(_ response: StoredResponse) {
        guard response.cost <= memory.limit / Self.share else { return }
        forget(memory.insert(response.entry, response, cost: response.cost))
    }

    private mutating func remove(_ entry: CacheKey.Entry) -> [CacheKey.Entry] {
        let isOnDisk = disk.contains(entry)
        memory.remove(entry)
        disk.remove(entry)
        forget([entry])
        return isOnDisk ? [entry] : []
    }

    private mutating func note(_ entry: CacheKey.Entry) { entries[entry.address, default: []].append(entry) }

    /// Forgets those that are held nowhere any more.
    private mutating func forget(_ gone: [CacheKey.Entry]) {
        for entry in gone where !holds(entry) {
            entries[entry.address]?.removeAll { $0 == entry }
            if entries[entry.address]?.isEmpty == true { entries[entry.address] = nil }
        }
    }
}
