import SimpleNetworking
import SimpleNetworkingTesting

/// Keeps closures for later, and then drops them.
nonisolated final class Promises: @unchecked Sendable {
    private let lock = NSLock()
    private var closures: [() -> Void] = []
    private let (arrivals, arrived) = AsyncStream<Void>.makeStream()

    func add(_ closure: @escaping () -> Void) {
        lock.withLock { closures.append(closure) }
        arrived.yield()
    }

    /// Waits for the first closure, and forgets it.
    func dropFirst() async {
        for await _ in arrivals { break }
        let dropped = lock.withLock {
            defer { closures = [] }
            return closures
        }
        _ = dropped
    }
}
