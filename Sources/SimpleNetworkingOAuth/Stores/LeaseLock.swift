import SimpleNetworkingSupport

/// Locks a resource that programs share, with an item that only one of them can add.
///
/// A program holds the lock until it removes the item.
///
/// Each item expires, because a program may end, or be suspended, before it removes its own item. The next program then
/// takes over the lock, although the former one may resume later.
struct LeaseLock<Items: LeaseItems>: Sendable {
    let items: Items
    /// The name of the locked resource, for errors.
    let name: String
    /// How long to wait for another program, in seconds.
    let timeout: TimeInterval
    let clock: any RequestClock
    /// Returns the time that all programs on the device share.
    let now: @Sendable () -> Date

    /// Runs work while this program has the lock.
    ///
    /// - Throws: `CredentialStoreError.locked`, `CancellationError` while it waits, and errors from `work` and the
    ///   items.
    func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        let lease = try await take()
        do {
            let result = try await work()
            await release(lease)
            return result
        } catch {
            await release(lease)
            throw error
        }
    }

    /// Waits for the lock, polling less and less often: the Keychain can't report when an item is removed.
    private func take() async throws -> Lease {
        let owner = UUID().uuidString
        let end = clock.now + timeout
        var pause: TimeInterval = 0.02
        while true {
            let lease = Lease(owner: owner, expiresAt: now().addingTimeInterval(Lease.duration))
            if try await Blocking.run({ try add(lease) }) { return lease }
            guard clock.now < end else { throw CredentialStoreError.locked(path: name, timeout) }
            try Task.checkCancellation()
            await withCheckedContinuation { turn in
                _ = clock.schedule(after: pause, for: .other) { turn.resume() }
            }
            pause = min(0.5, pause * 2)
        }
    }

    private func add(_ lease: Lease) throws -> Bool {
        if try items.add(lease) { return true }
        guard let other = try items.read(), other.isExpired(at: now()) else { return false }
        // Only that item: another program may have just taken the lock over.
        try items.remove(other)
        return try items.add(lease)
    }

    /// Removes the item; if that fails, the item expires.
    private func release(_ lease: Lease) async { try? await Blocking.run { try items.remove(lease) } }
}

/// Stores one item that programs share.
protocol LeaseItems: Sendable {
    /// Adds the item and returns true, or returns false if there already is one; atomic.
    func add(_ lease: Lease) throws -> Bool
    /// Returns the item, or nil if there is none.
    func read() throws -> Lease?
    /// Removes the item if it belongs to this owner; atomic.
    func remove(_ lease: Lease) throws
}

/// The owner of a lock, and how long it lasts.
struct Lease: Codable, Equatable, Sendable {
    /// How long a lock lasts, in seconds: a token request takes at most 30.
    static let duration: TimeInterval = 40

    let owner: String
    let expiresAt: Date

    /// Returns whether the lock may be taken over, because it is too old or the clock was set back.
    func isExpired(at now: Date) -> Bool { now >= expiresAt || expiresAt.timeIntervalSince(now) > Self.duration }
}
