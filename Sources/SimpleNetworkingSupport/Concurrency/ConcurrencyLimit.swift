/// Limits how much work runs at a time for each key; further work waits in order.
package final class ConcurrencyLimit<Key: Hashable & Sendable>: Sendable {
    private struct Place {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let places = Locked([Key: Place]())

    package init() {}

    /// Begins work at once, or when less than the limit is running for the key; zero means no limit.
    ///
    /// The work is considered running until the key's `end` is called.
    package func begin(_ key: Key, limit: Int, _ work: @escaping @Sendable () -> Void) {
        let begins = places.withLock { places in
            let begins = limit <= 0 || places[key, default: Place()].running < limit
            if begins { places[key, default: Place()].running += 1 } else { places[key]?.waiting.append(work) }
            return begins
        }
        if begins { work() }
    }

    package func end(_ key: Key) {
        let next: (@Sendable () -> Void)? = places.withLock { places in
            guard var ended = places.removeValue(forKey: key) else { return nil }
            let next = ended.waiting.isEmpty ? nil : ended.waiting.removeFirst()
            if next == nil { ended.running -= 1 }
            if ended.running > 0 { places[key] = ended }
            return next
        }
        next?()
    }
}
