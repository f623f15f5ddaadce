import SimpleNetworkingFeatureSupport

/// Runs a transfer that several equal requests wait for.
///
/// The request that starts it is sent for all of them. It is cancelled when the last of them has left. If it isn't sent
/// after all, or not as it was when others joined it, these withdraw, and look for another transfer or start their own.
final class SharedTransfer: Sendable {
    /// A request that shares the transfer.
    final class Sharer: Sendable {
        /// What holds the request back, once it was suspended.
        fileprivate let suspension: @Sendable () -> Suspension?
        fileprivate let onActivity: (@Sendable () -> Void)?
        /// Receives the request that is sent for it.
        fileprivate let onDeparture: (@Sendable (SentRequest) -> Void)?
        /// The response, or nil if the request must withdraw.
        fileprivate let outcome = FirstResult<TransportResponse?>()

        init(suspension: @escaping @Sendable () -> Suspension?, of request: TransportRequest) {
            self.suspension = suspension
            onActivity = request.onActivity
            onDeparture = request.onDeparture
        }

        fileprivate var isSuspended: Bool { suspension()?.isSuspended ?? false }

        /// Waits for the response, or returns nil if the request must withdraw.
        func response() async throws -> TransportResponse? { try await outcome.value() }
    }

    private struct State {
        var key: Key
        var sharers: [Sharer] = []
        /// The requests for which it was sent, until they are told.
        var served: [Sharer] = []
        /// Is finished when a request joins or leaves, if the transfer waits for that.
        var change: FirstResult<Void>?
        /// The time when the transfer was sent; nil while it waits.
        var sent: TimeInterval?
        var task: Task<Void, Never>?
    }

    /// The priority with which the transfer waits for its turn; nil if it doesn't wait.
    private let priority: RequestPriority?
    private let clock: any RequestClock
    private let starter: Sharer
    /// The head of its response, if the content has failed.
    let failedHead = Locked<TransportResponse?>(nil)
    private let state: Locked<State>

    init(_ key: Key, _ starter: Sharer, _ priority: RequestPriority?, _ clock: any RequestClock) {
        state = Locked(State(key: key, sharers: [starter]))
        self.starter = starter
        self.priority = priority
        self.clock = clock
    }

    var key: Key { state.withLock(\.key) }

    /// The time when the transfer was sent; the current time while the transfer waits.
    var begun: TimeInterval { state.withLock(\.sent) ?? clock.now }

    var isSent: Bool { state.withLock { $0.sent != nil } }

    /// The number of requests that wait for the response.
    var waitingCount: Int { state.withLock(\.sharers).count { !$0.outcome.isFinished } }

    /// Returns whether a request would be sent no sooner on its own; a request with a nil priority needn't wait.
    func mayBeJoined(with priority: RequestPriority?) -> Bool {
        guard !isSent, let own = self.priority else { return true }
        return priority.map { $0 <= own } ?? false
    }

    /// Starts the transfer, and calls `end` as soon as no further request may join.
    func run(
        on scheduler: Scheduler?,
        end: @escaping @Sendable () -> Void,
        _ send: @escaping @Sendable () async throws -> TransportResponse
    ) {
        let task: Task<Void, Never> = Task.start(on: scheduler) { [self] in
            let result: Result<TransportResponse?, any Error>
            do { result = .success(try await send()) } catch { result = .failure(error) }
            end()
            let (sharers, isSent) = state.withLock { ($0.sharers, $0.sent != nil) }
            for sharer in sharers {
                let isShared = isSent || sharer === starter || result.concernsAccount
                sharer.outcome.finish(isShared ? result : .success(nil))
            }
        }
        state.withLock { $0.task = task }
    }

    // MARK: Sharers

    /// Adds a request, and returns the work to do when no lock is held.
    func enter(_ sharer: Sharer) -> () -> Void {
        state.withLock { state in
            state.sharers.append(sharer)
            let (change, isSent) = (state.change.take(), state.sent != nil)
            return {
                change?.finish(.success(()))
                if isSent { sharer.onActivity?() }
            }
        }
    }

    /// Removes a request that has left.
    ///
    /// Returns the task to cancel if no other request remains.
    func leave(_ sharer: Sharer) -> Task<Void, Never>? {
        let (task, change) = state.withLock { state in
            if let index = state.sharers.firstIndex(where: { $0 === sharer }) { state.sharers.remove(at: index) }
            return (state.sharers.isEmpty ? state.task : nil, state.change.take())
        }
        change?.finish(.success(()))
        return task
    }

    /// Notes that the transfer is sent as `key` describes it, and returns the requests that must withdraw.
    func depart(as key: Key, at time: TimeInterval) -> [Sharer] {
        state.withLock { state in
            state.sent = time
            defer { state.key = key }
            let withdrawn = state.key == key ? [] : state.sharers.filter { $0 !== starter }
            // Those that withdraw go on sharing until they have joined another transfer, or this one again.
            state.served = withdrawn.isEmpty ? state.sharers : state.sharers.filter { $0 === starter }
            return withdrawn
        }
    }

    /// Tells the requests what was sent for them.
    func noteDeparture(_ sent: TransportRequest) {
        let served = state.withLock { state in
            defer { state.served = [] }
            return state.served
        }
        for sharer in served { sharer.onDeparture?(SentRequest(signed: sent, url: sent.url)) }
    }

    /// Tells the requests that the transfer was sent, or that content has arrived, except those that withdraw.
    func noteActivity() {
        for sharer in state.withLock(\.sharers) where !sharer.outcome.isFinished { sharer.onActivity?() }
    }

    // MARK: Suspension

    /// Whether all requests are suspended.
    var isSuspended: Bool { state.withLock(\.sharers).allSatisfy(\.isSuspended) }

    /// Waits until one of the requests isn't suspended.
    ///
    /// - Throws: `CancellationError` if the last of them leaves.
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

    // MARK: Timeouts

    /// Ends a request's wait after its own timeout, which starts once the request has joined and the transfer was sent.
    ///
    /// `close` lets no further request join.
    func limit(
        _ sharer: Sharer,
        to timeout: TimeInterval,
        _ head: RequestHead,
        close: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let alarm = Locked(TimeoutAlarm())
        let joined = clock.now
        @Sendable func set(_ seconds: TimeInterval) {
            let cancel = clock.schedule(after: seconds, for: .timeout) { [self] in
                let left = timeout - (clock.now - max(joined, begun))
                // Times are rounded, and a clock may not move for less.
                if left > 1e-6 { return set(left) }
                // A retry must not join it.
                close()
                sharer.outcome.finish(.failure(SimpleNetworkingError.timedOut(.attempt(timeout), head)))
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

extension SharedTransfer.Sharer {
    /// Lets the request look for another transfer.
    func withdraw() { outcome.finish(.success(nil)) }
}

extension Result where Failure == any Error {
    /// Whether the credential of the account to which all requests belong can't be used.
    ///
    /// After a sign-out, a request that was redirected goes on, and another one doesn't.
    fileprivate var concernsAccount: Bool {
        guard case .failure(let error) = self, case .authentication? = error as? SimpleNetworkingError else {
            return false
        }
        return !error.isSignOut
    }
}
