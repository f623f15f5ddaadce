/// Runs a transfer that several equal requests wait for.
///
/// It is cancelled when the last of these requests has left.
final class SharedTransfer: SharedSending {
    /// Holds the properties that must be equal for requests to share a transfer.
    struct Key: Hashable {
        private let method: HTTPMethod
        fileprivate let url: String
        fileprivate let fields: [HTTPHeaders.Field]
        private let account: AccountNumber?
        private let maxResponseSize: Int
        /// Whether the engine discards the content of redirects.
        private let followsRedirects: Bool
        /// The cookies that the caller's session adds.
        private let cookies: [String]
        /// The cache's count of invalidations, because an earlier response must not be stored after them.
        private let change: Int?

        init(_ request: TransportRequest, account: AccountNumber?, cookies: [String], change: Int?) {
            method = request.head.method
            url = request.head.written.text
            fields = request.headers.fields
            maxResponseSize = request.maxResponseSize
            followsRedirects = request.followsRedirects
            self.account = account
            self.cookies = cookies
            self.change = change
        }
    }

    /// A request that shares the transfer.
    final class Sharer: Sendable {
        /// What holds the request back, once it was suspended.
        let suspension: @Sendable () -> Suspension?

        init(suspension: @escaping @Sendable () -> Suspension?) { self.suspension = suspension }

        fileprivate var isSuspended: Bool { suspension()?.isSuspended ?? false }
    }

    private struct State {
        var waiters: [FirstResult<TransportResponse>] = []
        var result: Result<TransportResponse, any Error>?
        var sharers: [Sharer] = []
        /// Is finished when a request joins or leaves, if the transfer waits for that.
        var change: FirstResult<Void>?
        /// The time when the transfer was sent; nil while it waits.
        var sent: TimeInterval?
        var task: Task<Void, Never>?
        /// Lets no further request join.
        var close: (@Sendable () -> Void)?
    }

    /// The priority with which the transfer waits for its turn; nil if it doesn't wait.
    private let priority: RequestPriority?
    private let clock: any RequestClock
    private let key: Key
    private let state = Locked(State())

    init(_ key: Key, _ priority: RequestPriority?, _ clock: any RequestClock) {
        self.key = key
        self.priority = priority
        self.clock = clock
    }

    /// Returns whether a request would be sent no sooner on its own; a request with a nil priority needn't wait.
    fileprivate func mayBeJoined(with priority: RequestPriority?) -> Bool {
        guard state.withLock({ $0.sent == nil }), let own = self.priority else { return true }
        return priority.map { $0 <= own } ?? false
    }

    /// Starts the transfer, and calls `end` as soon as no further request may join.
    func run(
        on scheduler: Scheduler?,
        _ next: @escaping Middleware.Next,
        _ request: TransportRequest,
        end: @escaping @Sendable () -> Void
    ) {
        state.withLock { $0.close = end }
        let task: Task<Void, Never> = Task.start(on: scheduler) { [self] in
            let result: Result<TransportResponse, any Error>
            do { result = .success(try await next(request)) } catch { result = .failure(error) }
            end()
            let waiters = state.withLock { state in
                state.result = result
                state.close = nil
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.finish(result) }
        }
        state.withLock { $0.task = task }
    }

    /// The time when the transfer was sent; the current time while the transfer waits.
    var begun: TimeInterval { state.withLock(\.sent) ?? clock.now }

    var isSuspended: Bool { state.withLock(\.sharers).allSatisfy(\.isSuspended) }

    func waitWhileSuspended() async throws {
        while isSuspended {
            let change = FirstResult<Void>()
            let key = UInt(bitPattern: ObjectIdentifier(change))
            let sharers = state.withLock { state in
                state.change = change
                return state.sharers
            }
            let suspensions = sharers.compactMap { $0.suspension() }
            for suspension in suspensions {
                suspension.observe(as: key) { isSuspended in if !isSuspended { change.finish(.success(())) } }
            }
            defer { for suspension in suspensions { suspension.forget(key) } }
            if isSuspended { try await change.value() }
        }
    }

    func noteTurn(_ sent: TransportRequest) {
        let now = clock.now
        state.withLock { $0.sent = now }
        // What it carries has changed while it waited, so that it isn't what further requests ask for.
        if sent.head.written.text != key.url || sent.headers.fields != key.fields { close() }
    }

    private func close() { state.withLock(\.close)?() }

    /// Adds a request that joins.
    fileprivate func enter(_ sharer: Sharer) {
        let change = state.withLock { state in
            state.sharers.append(sharer)
            return state.change.take()
        }
        change?.finish(.success(()))
    }

    /// Returns the result that a joined request waits for.
    func add() -> FirstResult<TransportResponse> {
        let waiter = FirstResult<TransportResponse>()
        let result = state.withLock { state in
            if state.result == nil { state.waiters.append(waiter) }
            return state.result
        }
        if let result { waiter.finish(result) }
        return waiter
    }

    /// Removes a request that has left.
    ///
    /// Returns the task to cancel if no other request remains.
    fileprivate func leave(_ sharer: Sharer) -> Task<Void, Never>? {
        let (task, change) = state.withLock { state in
            if let index = state.sharers.firstIndex(where: { $0 === sharer }) { state.sharers.remove(at: index) }
            return (state.sharers.isEmpty ? state.task : nil, state.change.take())
        }
        change?.finish(.success(()))
        return task
    }

    /// Ends a request's wait after its own timeout, which starts once the request has joined and the transfer was sent.
    func limit(
        _ waiter: FirstResult<TransportResponse>,
        to timeout: TimeInterval,
        _ head: RequestHead
    ) -> @Sendable () -> Void {
        let alarm = Locked(TimeoutAlarm())
        let joined = clock.now
        @Sendable func set(_ seconds: TimeInterval) {
            let cancel = clock.schedule(after: seconds, for: .timeout) { [self] in
                let left = timeout - (clock.now - max(joined, begun))
                if left > 0 { return set(left) }
                // A retry must not join it.
                close()
                waiter.finish(.failure(SimpleNetworkingError.timedOut(.attempt(timeout), head)))
            }
            let isOver = alarm.withLock { alarm in
                alarm.cancel = cancel
                return alarm.isOver
            }
            if isOver { cancel() }
        }
        if timeout < .infinity { set(timeout) }
        return {
            let cancel = alarm.withLock { alarm in
                alarm.isOver = true
                return alarm.cancel
            }
            cancel?()
        }
    }

    /// Cancels the alarm of a timeout, which may be set again in the meantime.
    private struct TimeoutAlarm {
        var cancel: (@Sendable () -> Void)?
        var isOver = false
    }
}

/// Holds a client's transfers that requests may join.
final class SharedTransfers: Sendable {
    private let transfers = Locked<[SharedTransfer.Key: SharedTransfer]>([:])

    /// Returns the transfer for a key, and whether it is new.
    ///
    /// A more urgent request doesn't join a waiting transfer, but starts its own, which later requests join.
    func join(
        _ key: SharedTransfer.Key,
        _ sharer: SharedTransfer.Sharer,
        _ priority: RequestPriority?,
        make: () -> SharedTransfer
    ) -> (transfer: SharedTransfer, isNew: Bool) {
        let made = make()
        return transfers.withLock { transfers in
            let former = transfers[key].flatMap { $0.mayBeJoined(with: priority) ? $0 : nil }
            let transfer = former ?? made
            transfer.enter(sharer)
            let isNew = transfer === made
            if isNew { transfers[key] = transfer }
            return (transfer, isNew)
        }
    }

    /// Removes a request, and cancels the transfer if no other request remains.
    func leave(_ transfer: SharedTransfer, of key: SharedTransfer.Key, _ sharer: SharedTransfer.Sharer) {
        // Under the lock: no request may join a transfer that is about to be cancelled.
        let task = transfers.withLock { transfers in
            let task = transfer.leave(sharer)
            if task != nil, transfers[key] === transfer { transfers[key] = nil }
            return task
        }
        task?.cancel()
    }

    /// Makes the next request start its own transfer.
    func remove(_ transfer: SharedTransfer, of key: SharedTransfer.Key) {
        let removed = transfers.withLock { transfers in
            transfers[key] === transfer ? transfers.removeValue(forKey: key) : nil
        }
        withExtendedLifetime(removed) {}
    }
}

extension TransportRequest {
    /// Whether the request is a GET or HEAD without content whose response is stored in memory.
    var isRead: Bool { (head.method == .get || head.method == .head) && body.isNone && sink.isMemory }
}
