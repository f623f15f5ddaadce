import SimpleNetworking
import SimpleNetworkingTesting

/// Keeps closures, and then releases them.
nonisolated final class Promises: @unchecked Sendable {
    private let lock = NSLock()
    private var closures: [() -> Void] = []
    private let (arrivals, arrived) = AsyncStream<Void>.makeStream()

    func add(_ closure: @escaping () -> Void) {
        lock.withLock { closures.append(closure) }
        arrived.yield()
    }

    /// Waits for the first closure, and releases it.
    func dropFirst() async {
        for await _ in arrivals { break }
        let dropped = lock.withLock {
            defer { closures = [] }
            return closures
        }
        _ = dropped
    }
}
