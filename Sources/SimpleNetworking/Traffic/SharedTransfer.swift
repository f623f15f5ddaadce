/// A transfer that several equal requests wait for; it is cancelled when the last of them has left.
final class SharedTransfer: Sendable {
    /// What has to be equal.
    struct Key: Hashable {
        private let method: HTTPMethod
        private let url: String
        private let fields: [HTTPHeaders.Field]
        private let account: AccountNumber?
        private let maxResponseSize: Int

        init(_ request: TransportRequest, account: AccountNumber?) {
            method = request.head.method
            url = request.url.absoluteString
            fields = request.headers.fields
            maxResponseSize = request.maxResponseSize
            self.account = account
        }
    }

    /// Tells when the transfer was sent, which may have to wait for its turn.
    final class Start: Sendable {
        private let time: Locked<TimeInterval?>

        init(at now: TimeInterval?) { time = Locked(now) }

        /// The clock's time; nil while it waits.
        var noted: TimeInterval? { time.withLock { $0 } }
        func note(_ now: TimeInterval) { time.withLock { $0 = now } }
    }

    private struct State {
        var waiters: [FirstResult<TransportResponse>] = []
        var result: Result<TransportResponse, any Error>?
        var count = 0
        var task: Task<Void, Never>?
    }

    private let start: Start
    /// The priority with which it waits for its turn; nil if it doesn't.
    private let priority: RequestPriority?
    private let clock: any RequestClock
    private let state = Locked(State())

    init(_ start: Start, _ priority: RequestPriority?, _ clock: any RequestClock) {
        self.start = start
        self.priority = priority
        self.clock = clock
    }

    /// Whether a request with this priority would not be sent before it; nil is that of one that need not wait.
    fileprivate func mayBeJoined(with priority: RequestPriority?) -> Bool {
        guard start.noted == nil else { return true }
        guard let priority, let own = self.priority else { return false }
        return priority <= own
    }

    /// Begins it; `end` is called as soon as no further request may join.
    func run(
        on scheduler: Scheduler?,
        _ next: @escaping Middleware.Next,
        _ request: TransportRequest,
        end: @escaping @Sendable () -> Void
    ) {
        let task: Task<Void, Never> = Task.start(on: scheduler) { [self] in
            let result: Result<TransportResponse, any Error>
            do { result = .success(try await next(request)) } catch { result = .failure(error) }
            end()
            let waiters = state.withLock { state in
                state.result = result
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.finish(result) }
        }
        state.withLock { $0.task = task }
    }

    /// When it was sent; now while it waits.
    var begun: TimeInterval { start.noted ?? clock.now }

    /// Counts a request that joins.
    fileprivate func enter() { state.withLock { $0.count += 1 } }

    /// Returns what a request that has joined waits for.
    func add() -> FirstResult<TransportResponse> {
        let waiter = FirstResult<TransportResponse>()
        let result = state.withLock { state in
            if state.result == nil { state.waiters.append(waiter) }
            return state.result
        }
        if let result { waiter.finish(result) }
        return waiter
    }

    /// Counts a request that has left; returns what to cancel if it was the last.
    fileprivate func leave() -> Task<Void, Never>? {
        state.withLock { state in
            state.count -= 1
            return state.count == 0 ? state.task : nil
        }
    }

    /// Ends a request's wait when its own timeout has passed, which begins when both it and the transfer have begun.
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

    /// What cancels the alarm of a timeout, which may be set anew meanwhile.
    private struct TimeoutAlarm {
        var cancel: (@Sendable () -> Void)?
        var isOver = false
    }
}

/// The transfers of a client that requests may join.
final class SharedTransfers: Sendable {
    private let transfers = Locked<[SharedTransfer.Key: SharedTransfer]>([:])

    /// Returns the transfer for a key, and whether it is new.
    ///
    /// A more urgent request doesn't join one that waits for its turn; later requests join the more urgent one's.
    func join(
        _ key: SharedTransfer.Key,
        _ priority: RequestPriority?,
        make: () -> SharedTransfer
    ) -> (transfer: SharedTransfer, isNew: Bool) {
        let made = make()
        return transfers.withLock { transfers in
            let former = transfers[key].flatMap { $0.mayBeJoined(with: priority) ? $0 : nil }
            let transfer = former ?? made
            transfer.enter()
            let isNew = transfer === made
            if isNew { transfers[key] = transfer }
            return (transfer, isNew)
        }
    }

    /// Takes a request out, and cancels the transfer if it was the last.
    func leave(_ transfer: SharedTransfer, of key: SharedTransfer.Key) {
        // Under the lock: no request may join a transfer that is about to be cancelled.
        let task = transfers.withLock { transfers in
            let task = transfer.leave()
            if task != nil, transfers[key] === transfer { transfers[key] = nil }
            return task
        }
        task?.cancel()
    }

    /// Lets the next request begin a transfer of its own.
    func remove(_ transfer: SharedTransfer, of key: SharedTransfer.Key) {
        let removed = transfers.withLock { transfers in
            transfers[key] === transfer ? transfers.removeValue(forKey: key) : nil
        }
        withExtendedLifetime(removed) {}
    }
}
