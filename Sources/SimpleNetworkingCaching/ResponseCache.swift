import SimpleNetworkingFeatureSupport

/// Stores responses in memory and on disk, and reuses them as RFC 9111 permits for a private cache.
///
/// By default, a client has no cache. To add a cache, set `$0.cache = ResponseCache()`. Clients can share a cache, and
/// you can use it from any thread. The cache behaves the same on all platforms, whereas URLSession's own cache stores
/// nothing on Linux.
///
/// Accounts never receive each other's responses. The cache separates responses by the credentials of their requests,
/// or by the account that the client's authenticator returns. The cache stores credentials and URLs only as digests.
/// Responses are stored as received, but without cookies, in files that only their owner can read.
///
/// When a limit is reached, the least recently used entries are evicted. Within one process, use each folder for only
/// one cache. Processes can share a folder. However, once a process has used its cache, it doesn't see responses that
/// other processes store later.
public final class ResponseCache: Sendable {
    private struct State {
        var index: CacheIndex
        var folder: CacheFolder?
        /// The random bytes that digests include; empty until the folder is loaded.
        var salt: [UInt8] = []
        /// The number of bytes waiting to be written.
        var waiting = 0
        /// The revalidations of stale responses that were already served.
        var revalidations: [CacheKey.Entry: Task<Void, Never>] = [:]
    }

    /// The maximum number of bytes waiting to be written.
    ///
    /// Beyond this limit, responses are stored only in memory.
    private static let maxWaiting = 8 << 20
    private static let named = Locked<[String: ResponseCache]>([:])

    /// The maximum number of bytes in memory.
    public let memoryLimit: Int
    /// The maximum number of bytes in the folder; 0 if the cache has no folder.
    public let diskLimit: Int
    let now: @Sendable () -> Date
    private let folder: URL?
    private let state: Locked<State>
    private let queue = DispatchQueue(label: "SimpleNetworking.ResponseCache", qos: .utility)

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - folder: A folder that only this cache uses. If the folder doesn't exist, the cache creates a folder that
    ///     only its owner can access. If nil (the default), responses are stored only in memory.
    ///   - memoryLimit: The maximum number of bytes in memory. The default is 4 MiB. One response may use at most a
    ///     tenth of this limit.
    ///   - diskLimit: The maximum number of bytes in the folder. The default is 20 MiB. One response may use at most a
    ///     tenth of this limit.
    ///   - now: A closure that returns the current date, from which the age of responses is calculated. The default
    ///     returns the system's date.
    public init(
        folder: URL? = nil,
        memoryLimit: Int = 4 << 20,
        diskLimit: Int = 20 << 20,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.memoryLimit = max(0, memoryLimit)
        self.diskLimit = folder == nil ? 0 : max(0, diskLimit)
        let index = CacheIndex(memoryLimit: self.memoryLimit, diskLimit: self.diskLimit)
        state = Locked(State(index: index, salt: folder == nil ? Digest.randomSalt() : []))
        self.folder = folder
        self.now = now
    }

    /// Returns the shared cache with this name, which has its own folder in the user's caches folder.
    ///
    /// - Parameters:
    ///   - name: Any name, such as an API's host. If programs with the same caches folder use the same name, their
    ///     caches share a folder.
    ///   - memoryLimit: The maximum number of bytes in memory. Only the first call for a name sets this limit. The
    ///     default is 4 MiB.
    ///   - diskLimit: The maximum number of bytes on disk. Only the first call for a name sets this limit. The default
    ///     is 20 MiB.
    /// - Returns: The same cache for each call with the same name.
    public static func shared(
        named name: String,
        memoryLimit: Int = 4 << 20,
        diskLimit: Int = 20 << 20
    ) -> ResponseCache {
        named.withLock { named in
            if let cache = named[name] { return cache }
            let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            // A digest, because not every name is a valid folder name.
            let folder = caches?.appendingPathComponent("SimpleNetworking/\(Digest([name], salt: []).text)")
            let cache = ResponseCache(folder: folder, memoryLimit: memoryLimit, diskLimit: diskLimit)
            named[name] = cache
            return cache
        }
    }

    /// Returns the number of bytes stored in memory and in the folder, after waiting for pending writes.
    ///
    /// If the folder can't be used, the cache stores responses only in memory, and its disk size is 0.
    public func size() async -> (memory: Int, disk: Int) {
        await load()
        return await onQueue { self.state.withLock { ($0.index.memory.cost, $0.index.disk.cost) } }
    }

    /// Removes all responses (for example, after signing out), and returns once the files are removed.
    ///
    /// Responses to requests in flight are not stored.
    public func removeAll() async {
        await load()
        changeIndex { $0.index.removeAll() }
        // Runs after all pending writes; responses stored after this call stay.
        await onQueue {
            guard let folder = self.state.withLock({ $0.folder }) else { return }
            for (entry, _) in folder.entries() where !self.state.withLock({ $0.index.holds(entry) }) {
                folder.remove(entry)
            }
        }
    }

    /// Removes the responses stored for the given URL, for all accounts, and returns once the files are removed.
    public func remove(for url: URL) async {
        await load()
        changeIndex { state in
            perform(state.index.removeAll(for: CacheKey.digest(of: url, salt: state.salt)), &state)
        }
        if folder != nil { await onQueue {} }
    }

    // MARK: - For the cache stage

    /// The number of invalidations.
    ///
    /// Read this number before you send a request whose response is to be stored.
    var change: Int { state.withLock { $0.index.changes } }

    func key(for owner: RequestOwnerIdentity) async -> CacheKey {
        await load()
        return CacheKey(owner, salt: state.withLock { $0.salt })
    }

    /// Returns the response stored for a request, fresh or stale.
    func find(_ key: CacheKey) async -> StoredResponse? {
        let (found, unread) = state.withLock { $0.index.find(key) }
        if found != nil || unread.isEmpty { return found }
        return await onQueue { self.read(unread, key) }
    }

    /// Stores a response, unless an invalidation followed its request.
    func store(_ response: StoredResponse, of moments: CacheMoments) -> Bool {
        changeIndex { state in
            let mayWrite = state.waiting + response.cost <= Self.maxWaiting
            guard let work = state.index.store(response, of: moments, mayWrite: mayWrite) else { return false }
            perform(work, &state)
            return state.index.holds(response.entry)
        }
    }

    func drop(_ entry: CacheKey.Entry) { changeIndex { state in perform(state.index.drop(entry), &state) } }

    /// Revalidates a stale response that was served.
    ///
    /// Only one revalidation per response runs at a time.
    func revalidate(_ entry: CacheKey.Entry, on scheduler: Scheduler?, _ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard state.revalidations[entry] == nil else { return }
            state.revalidations[entry] = Task.start(on: scheduler) {
                await work()
                self.state.withLock { $0.revalidations[entry] = nil }
            }
        }
    }

    /// Returns when no revalidation is running.
    func revalidated() async { for task in state.withLock({ Array($0.revalidations.values) }) { await task.value } }

    /// Removes the responses for the URLs that an unsafe request has changed, and for those that the head of its response
    /// names (RFC 9111 §4.4).
    func invalidate(_ urls: [URL], after status: Int, _ headers: HTTPHeaders) async {
        guard (200...399).contains(status) else { return }
        for url in urls {
            await remove(for: url)
            for name in ["Location", "Content-Location"] {
                guard let text = headers.values(for: name).first,
                    let named = try? URLParts(resolving: text, against: url).url(), named != url,
                    Origin(named) == Origin(url)
                else { continue }
                await remove(for: named)
            }
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

    /// Changes the index, then releases the responses that are no longer stored.
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
            let salt = folder?.salt() ?? Digest.randomSalt()
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
