import SimpleNetworkingSupport

/// Lets tasks pass one at a time, in the order in which they arrive.
actor AsyncLock {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The number of waiting tasks.
    var waitingCount: Int { waiting.count }

    /// Runs work while no other task has the lock.
    func withLock<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        await lock()
        defer { unlock() }
        return try await work()
    }

    /// Waits for the lock, which is held until `unlock()`.
    func lock() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Releases the lock.
    func unlock() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
