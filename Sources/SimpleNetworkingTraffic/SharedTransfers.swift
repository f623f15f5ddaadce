import SimpleNetworkingFeatureSupport

/// Holds a client's transfers that requests may join.
///
/// What changes which transfer a request finds is done under one lock, so that no request joins a transfer that is about
/// to be cancelled, or that is sent as another one.
final class SharedTransfers: ClientService {
    typealias Sharer = SharedTransfer.Sharer

    private let transfers = Locked<[SharedTransfer.Key: SharedTransfer]>([:])

    var isIdle: Bool { transfers.withLock { $0.isEmpty } }

    /// The number of requests that wait for the response of a transfer.
    var waitingCount: Int { transfers.withLock { $0.values.reduce(0) { $0 + $1.waitingCount } } }

    /// Returns the transfer for a key, and whether it is new.
    ///
    /// A more urgent request doesn't join a waiting transfer, but starts its own, which later requests join.
    func join(
        _ key: SharedTransfer.Key,
        _ sharer: Sharer,
        _ priority: RequestPriority?,
        _ clock: any RequestClock
    ) -> (transfer: SharedTransfer, isNew: Bool) {
        let made = SharedTransfer(key, sharer, priority, clock)
        let (former, work) = transfers.withLock { transfers -> (SharedTransfer?, (() -> Void)?) in
            if let former = transfers[key], former.mayBeJoined(with: priority) {
                return (former, former.enter(sharer))
            }
            transfers[key] = made
            return (nil, nil)
        }
        work?()
        return (former ?? made, former == nil)
    }

    /// Removes a request, and cancels the transfer if no other request remains.
    func leave(_ transfer: SharedTransfer, _ sharer: Sharer) {
        let (task, removed) = transfers.withLock { transfers -> (Task<Void, Never>?, SharedTransfer?) in
            guard let task = transfer.leave(sharer) else { return (nil, nil) }
            return (task, transfers.remove(transfer))
        }
        task?.cancel()
        withExtendedLifetime(removed) {}
    }

    /// Makes the next request start its own transfer.
    func close(_ transfer: SharedTransfer) {
        let removed = transfers.withLock { $0.remove(transfer) }
        withExtendedLifetime(removed) {}
    }

    /// Notes that a transfer is sent as `key` describes it.
    ///
    /// If it isn't what other requests have joined, they withdraw, and may join it again as what it is now.
    func depart(_ transfer: SharedTransfer, as key: SharedTransfer.Key, at time: TimeInterval) {
        let (withdrawn, removed) = transfers.withLock { transfers -> ([Sharer], SharedTransfer?) in
            let removed = transfers.remove(transfer)
            let withdrawn = transfer.depart(as: key, at: time)
            guard let removed else { return (withdrawn, nil) }
            let other = transfers[key]
            if other?.isSent != true { transfers[key] = removed }
            return (withdrawn, other)
        }
        for sharer in withdrawn { sharer.withdraw() }
        withExtendedLifetime(removed) {}
    }
}

extension [SharedTransfer.Key: SharedTransfer] {
    fileprivate mutating func remove(_ transfer: SharedTransfer) -> SharedTransfer? {
        self[transfer.key] === transfer ? removeValue(forKey: transfer.key) : nil
    }
}
