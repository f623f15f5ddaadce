/// Locks what programs share by an item that only one of them can add: it has the lock until it removes the item.
///
/// Each item expires, since a program may end, or be suspended, before it removes its own. The next program then takes the
/// lock over, although the former one may go on later.
struct LeaseLock<Items: LeaseItems>: Sendable {
    let items: Items
    /// The name of what is locked, for errors.
    let name: String
    /// Seconds to wait for another program.
    let timeout: TimeInterval
    let clock: any RequestClock
    /// Returns the time that all programs of the device share.
    let now: @Sendable () -> Date

    /// Does some work while this program has the lock.
    ///
    /// - Throws: `CredentialStoreError.locked`, `CancellationError` while it waits, and what `work` and the items throw.
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

    /// Waits for the lock, less and less often: the Keychain can't tell when an item is removed.
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
        // Only that one: another program may have taken the lock over just now.
        try items.remove(other)
        return try items.add(lease)
    }

    /// Removes the item, or leaves it to its expiry.
    private func release(_ lease: Lease) async { try? await Blocking.run { try items.remove(lease) } }
}

/// Keeps one item that programs share.
protocol LeaseItems: Sendable {
    /// Adds the item and returns true, or returns false if there is one; atomically.
    func add(_ lease: Lease) throws -> Bool
    /// Returns the item, or nil if there is none.
    func read() throws -> Lease?
    /// Removes the item if it is this owner's; atomically.
    func remove(_ lease: Lease) throws
}

/// Says whose lock it is, and for how long.
struct Lease: Codable, Equatable, Sendable {
    /// Seconds that a lock lasts: a token request takes at most 30.
    static let duration: TimeInterval = 40

    let owner: String
    let expiresAt: Date

    /// Tells whether the lock may be taken over: it is too old, or of a time before the clock was set back.
    func isExpired(at now: Date) -> Bool { now >= expiresAt || expiresAt.timeIntervalSince(now) > Self.duration }
}
