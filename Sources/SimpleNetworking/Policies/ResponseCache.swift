/// Keeps answers in memory and on disk, and gives them again as RFC 9111 allows a private cache to.
///
/// Clients have none unless one is configured: `$0.cache = ResponseCache()`. Clients may share one, and it may be used
/// from any thread. It behaves alike on every platform, since URLSession's cache stores nothing on Linux.
///
/// What is stored for one account is given to no other: answers are kept apart by the credentials that their requests
/// carried, or by the account that the client's authenticator names. Of credentials and addresses it keeps digests only;
/// answers it keeps as they came, but without cookies, in files that only their owner can read.
///
/// What was used longest ago goes first when a limit is reached. Two caches must not have the same folder in one process;
/// two processes may share one, and each then sees what the other has stored before it started.
public final class ResponseCache: Sendable {
    private struct State {
        var index: CacheIndex
        var folder: CacheFolder?
        /// Empty until the folder was looked at.
        var salt: [UInt8] = []
        /// Bytes that wait to be written.
        var waiting = 0
    }

    /// Bytes that may wait to be written; what comes beyond them stays in memory only.
    private static let maxWaiting = 8 << 20

    /// Bytes to keep in memory.
    public let memoryLimit: Int
    /// Bytes to keep in the folder; 0 without a folder.
    public let diskLimit: Int
    private let state: Locked<State>
    private let queue = DispatchQueue(label: "SimpleNetworking.ResponseCache", qos: .utility)
    private let folder: URL?
    let now: @Sendable () -> Date

    /// Makes a cache.
    ///
    /// - Parameters:
    ///   - folder: A folder of the cache's own, made if it is missing, for its owner only. The default is nil: what is
    ///     stored goes with the process.
    ///   - memoryLimit: Bytes to keep in memory. The default is 4 MiB. One answer takes at most a tenth of it.
    ///   - diskLimit: Bytes to keep in the folder. The default is 20 MiB. One answer takes at most a tenth of it.
    ///   - now: Tells the time. The default is the system's; for tests.
    public init(
        folder: URL? = nil,
        memoryLimit: Int = 4 << 20,
        diskLimit: Int = 20 << 20,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.memoryLimit = max(0, memoryLimit)
        self.diskLimit = folder == nil ? 0 : max(0, diskLimit)
        let index = CacheIndex(memoryLimit: self.memoryLimit, diskLimit: self.diskLimit)
        state = Locked(State(index: index, salt: folder == nil ? CacheFolder.randomSalt() : []))
        self.folder = folder
        self.now = now
    }

    /// Bytes kept in memory and in the folder, when all that waited has been written.
    ///
    /// A folder that cannot be used counts as none, and the cache keeps to memory.
    public func size() async -> (memory: Int, disk: Int) {
        await prepare()
        return await onQueue { self.state.withLock { ($0.index.memorySize, $0.index.diskSize) } }
    }

    /// Removes everything, for example when the user signs out; returns when the files are gone.
    ///
    /// What is on its way meanwhile is not stored.
    public func removeAll() async {
        await prepare()
        state.withLock { $0.index.removeAll() }
        // Behind all that waits to be written; what was stored since then is to stay.
        await onQueue {
            guard let folder = self.state.withLock({ $0.folder }) else { return }
            for (entry, _) in folder.entries() where !self.state.withLock({ $0.index.holds(entry) }) {
                folder.remove(entry)
            }
        }
    }

    /// Removes what is stored for an address, for all accounts; returns when the files are gone.
    public func remove(for url: URL) async {
        await prepare()
        let isOver = state.withLock { state in
            perform(state.index.removeAll(for: CacheKey.address(of: url, salt: state.salt)), &state)
        }
        // So that it does not come back though the process ends now.
        if !isOver { await onQueue {} }
    }
}

extension ResponseCache {
    /// Counts what was removed; to be read before a request is sent whose answer shall be stored.
    var change: Int { state.withLock { $0.index.changes } }

    func key(for head: RequestHead, _ identity: CacheKey.Identity) async -> CacheKey {
        await prepare()
        return CacheKey(head, identity: identity, salt: state.withLock { $0.salt })
    }

    /// Gives what is stored for a request, fresh or not.
    func find(_ key: CacheKey) async -> StoredResponse? {
        let (found, unread) = state.withLock { $0.index.find(key) }
        if found != nil || unread.isEmpty { return found }
        return await onQueue { self.read(unread, key) }
    }

    /// Stores an answer to a request that was sent after `change`.
    func store(_ response: StoredResponse, since change: Int) -> Bool {
        state.withLock { state in
            let mayWrite = state.waiting + response.cost <= Self.maxWaiting
            guard let work = state.index.store(response, since: change, mayWrite: mayWrite) else { return false }
            _ = perform(work, &state)
            return state.index.holds(response.entry)
        }
    }

    /// Removes what an answer to an unsafe request makes outdated (RFC 9111 §4.4).
    func invalidate(after request: RequestHead, status: Int, _ headers: HTTPHeaders) async {
        let isSafe = [.get, .head, .options, .trace].contains(request.method)
        guard !isSafe, (200...399).contains(status) else { return }
        await remove(for: request.url)
        for name in ["Location", "Content-Location"] {
            guard let text = headers.values(for: name).first,
                let url = try? AddressParts(resolving: text, against: request.url).url(), url != request.url,
                Origin(url) == Origin(request.url)
            else { continue }
            await remove(for: url)
        }
    }

    func drop(_ entry: CacheKey.Entry) { state.withLock { state in _ = perform(state.index.drop(entry), &state) } }

    private func read(_ entries: [CacheKey.Entry: Int], _ key: CacheKey) -> StoredResponse? {
        guard let folder = state.withLock({ $0.folder }) else { return nil }
        var found: [StoredResponse] = []
        for (entry, number) in entries {
            if let response = folder.read(entry) {
                found.append(response)
            } else {
                state.withLock { $0.index.lost(entry, number) }
            }
        }
        let newest = found.filter { $0.answers(key) }.max { $0.responseTime < $1.responseTime }
        return newest.flatMap { newest in state.withLock { $0.index.promote(newest) } ? newest : nil }
    }

    /// Hands work to the queue while the lock is held, so that files change in the order in which the index does.
    ///
    /// - Returns: Whether there is nothing to wait for.
    private func perform(_ work: CacheIndex.Work, _ state: inout State) -> Bool {
        guard let folder = state.folder, !work.isEmpty else { return true }
        let cost = work.written?.cost ?? 0
        state.waiting += cost
        queue.async {
            for entry in work.removed { folder.remove(entry) }
            if let response = work.written { folder.write(response) }
            self.state.withLock { $0.waiting -= cost }
        }
        return false
    }

    /// Looks at the folder before anything else is done, once.
    private func prepare() async {
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
                _ = self.perform(state.index.load(files), &state)
            }
        }
    }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: work()) } }
    }
}
