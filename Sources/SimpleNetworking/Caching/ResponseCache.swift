/// Stores responses in memory and on disk, and reuses them as RFC 9111 allows a private cache to.
///
/// A client has no cache by default: set `$0.cache = ResponseCache()`. Clients may share one, and any thread may use
/// it. It behaves alike on all platforms; URLSession's own cache stores nothing on Linux.
///
/// Accounts never see each other's responses: these are kept apart by their requests' credentials, or by the account
/// that the client's authenticator names. Of credentials and URLs it keeps digests only; responses it keeps as they
/// came, but without cookies, in files that only their owner can read.
///
/// At a limit the least recently used entries are evicted. Within one process a folder belongs to one cache. Processes
/// may share one; each sees what the others stored before it started.
public final class ResponseCache: Sendable {
    private struct State {
        var index: CacheIndex
        var folder: CacheFolder?
        /// Empty until the folder is loaded.
        var salt: [UInt8] = []
        /// Bytes waiting to be written.
        var waiting = 0
        /// Revalidations of stale responses that were served meanwhile.
        var revalidations: [CacheKey.Entry: Task<Void, Never>] = [:]
    }

    /// Bytes that may wait to be written; what exceeds them stays in memory only.
    private static let maxWaiting = 8 << 20
    private static let named = Locked<[String: ResponseCache]>([:])

    /// Bytes to keep in memory.
    public let memoryLimit: Int
    /// Bytes to keep in the folder; 0 without a folder.
    public let diskLimit: Int
    let now: @Sendable () -> Date
    private let folder: URL?
    private let state: Locked<State>
    private let queue = DispatchQueue(label: "SimpleNetworking.ResponseCache", qos: .utility)

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - folder: A folder for this cache alone, created if missing, for its owner only. The default is nil: responses
    ///     are kept in memory.
    ///   - memoryLimit: Bytes to keep in memory. The default is 4 MiB. One response takes at most a tenth.
    ///   - diskLimit: Bytes to keep in the folder. The default is 20 MiB. One response takes at most a tenth.
    public convenience init(folder: URL? = nil, memoryLimit: Int = 4 << 20, diskLimit: Int = 20 << 20) {
        self.init(folder: folder, memoryLimit: memoryLimit, diskLimit: diskLimit) { Date() }
    }

    package init(
        folder: URL? = nil,
        memoryLimit: Int = 4 << 20,
        diskLimit: Int = 20 << 20,
        now: @escaping @Sendable () -> Date
    ) {
        self.memoryLimit = max(0, memoryLimit)
        self.diskLimit = folder == nil ? 0 : max(0, diskLimit)
        let index = CacheIndex(memoryLimit: self.memoryLimit, diskLimit: self.diskLimit)
        state = Locked(State(index: index, salt: folder == nil ? CacheFolder.randomSalt() : []))
        self.folder = folder
        self.now = now
    }

    /// Returns the one cache with this name, in a folder of its own among the user's caches.
    ///
    /// - Parameters:
    ///   - name: Any name, such as an API's host. All that uses the same caches folder shares it.
    ///   - memoryLimit: Bytes to keep in memory; counts in the name's first call. The default is 4 MiB.
    ///   - diskLimit: Bytes to keep on disk; counts in the name's first call. The default is 20 MiB.
    /// - Returns: The same cache for each call.
    public static func shared(
        named name: String,
        memoryLimit: Int = 4 << 20,
        diskLimit: Int = 20 << 20
    ) -> ResponseCache {
        named.withLock { named in
            if let cache = named[name] { return cache }
            let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            // A digest, since not every name can be a folder's.
            let folder = caches?.appendingPathComponent("SimpleNetworking/\(Digest([name], salt: []).text)")
            let cache = ResponseCache(folder: folder, memoryLimit: memoryLimit, diskLimit: diskLimit)
            named[name] = cache
            return cache
        }
    }

    /// Returns the bytes kept in memory and in the folder, once all writing is done.
    ///
    /// A folder that can't be used counts as none: the cache keeps to memory.
    public func size() async -> (memory: Int, disk: Int) {
        await load()
        return await onQueue { self.state.withLock { ($0.index.memory.cost, $0.index.disk.cost) } }
    }

    /// Removes everything, for example after signing out; returns once the files are removed.
    ///
    /// Responses to requests in flight are not stored.
    public func removeAll() async {
        await load()
        changeIndex { $0.index.removeAll() }
        // After all waiting writes; what was stored since then stays.
        await onQueue {
            guard let folder = self.state.withLock({ $0.folder }) else { return }
            for (entry, _) in folder.entries() where !self.state.withLock({ $0.index.holds(entry) }) {
                folder.remove(entry)
            }
        }
    }

    /// Removes what is stored for a URL, for all accounts; returns once the files are removed.
    public func remove(for url: URL) async {
        await load()
        changeIndex { state in
            perform(state.index.removeAll(for: CacheKey.digest(of: url, salt: state.salt)), &state)
        }
        if folder != nil { await onQueue {} }
    }

    // MARK: - For the cache's stage

    /// Counts invalidations; read it before sending a request whose response is to be stored.
    var change: Int { state.withLock { $0.index.changes } }

    func key(for head: RequestHead, _ identity: CacheKey.Identity) async -> CacheKey {
        await load()
        return CacheKey(head, identity: identity, salt: state.withLock { $0.salt })
    }

    /// The response stored for a request, fresh or stale.
    func find(_ key: CacheKey) async -> StoredResponse? {
        let (found, unread) = state.withLock { $0.index.find(key) }
        if found != nil || unread.isEmpty { return found }
        return await onQueue { self.read(unread, key) }
    }

    /// Stores a response, unless it came to be before an invalidation.
    func store(_ response: StoredResponse, of moments: CacheMoments) -> Bool {
        changeIndex { state in
            let mayWrite = state.waiting + response.cost <= Self.maxWaiting
            guard let work = state.index.store(response, of: moments, mayWrite: mayWrite) else { return false }
            perform(work, &state)
            return state.index.holds(response.entry)
        }
    }

    func drop(_ entry: CacheKey.Entry) { changeIndex { state in perform(state.index.drop(entry), &state) } }

    /// Revalidates a stale response that was served; one revalidation at a time is enough.
    func revalidate(_ entry: CacheKey.Entry, on scheduler: Scheduler?, _ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard state.revalidations[entry] == nil else { return }
            state.revalidations[entry] = Task.start(on: scheduler) {
                await work()
                self.state.withLock { $0.revalidations[entry] = nil }
            }
        }
    }

    /// Returns when no revalidation is under way.
    func revalidated() async { for task in state.withLock({ Array($0.revalidations.values) }) { await task.value } }

    /// Removes what the response to an unsafe request invalidates (RFC 9111 §4.4).
    func invalidate(after request: RequestHead, status: Int, _ headers: HTTPHeaders) async {
        let isSafe = [.get, .head, .options, .trace].contains(request.method)
        guard !isSafe, (200...399).contains(status) else { return }
        await remove(for: request.url)
        for name in ["Location", "Content-Location"] {
            guard let text = headers.values(for: name).first,
                let url = try? URLParts(resolving: text, against: request.url).url(), url != request.url,
                Origin(url) == Origin(request.url)
            else { continue }
            await remove(for: url)
        }
    }

    // MARK: - On the queue

    private func read(_ entries: [CacheKey.Entry: Int], _ key: CacheKey) -> StoredResponse? {
        guard let folder = state.withLock({ $0.folder }) else { return nil }
        let found = entries.compactMap { entry, number in
            let response = folder.read(entry)
            if response == nil { state.withLock { $0.index.lost(entry, number) } }
            return response
        }
        let newest = found.filter { $0.matches(key) }.max { $0.responseTime < $1.responseTime }
        return newest.flatMap { newest in changeIndex { $0.index.promote(newest) } ? newest : nil }
    }

    /// Changes the index, and releases afterwards the responses that are no longer stored.
    private func changeIndex<Result>(_ change: (inout State) -> Result) -> Result {
        let (result, dropped) = state.withLock { (change(&$0), $0.index.takeDropped()) }
        withExtendedLifetime(dropped) {}
        return result
    }

    /// Enqueues work while the lock is held, so that files change in the same order as the index.
    private func perform(_ work: CacheIndex.Work, _ state: inout State) {
        guard let folder = state.folder, !work.isEmpty else { return }
        let cost = work.written?.cost ?? 0
        state.waiting += cost
        queue.async {
            for entry in work.removed { folder.remove(entry) }
            if let response = work.written { folder.write(response) }
            self.state.withLock { $0.waiting -= cost }
        }
    }

    /// Loads the folder's index, once.
    private func load() async {
        if state.withLock({ !$0.salt.isEmpty }) { return }
        await onQueue {
            guard let url = self.folder, self.state.withLock({ $0.salt.isEmpty }) else { return }
            let folder = CacheFolder(url)
            let salt = folder?.salt() ?? CacheFolder.randomSalt()
            let files = folder?.entries() ?? []
            self.state.withLock { state in
                state.folder = folder
                state.salt = salt
                if folder == nil { state.index.useMemoryOnly() }
                self.perform(state.index.load(files), &state)
            }
        }
    }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: work()) } }
    }
}
