import SimpleNetworkingSupport

/// Follows one `URLSessionTask` from start to end, and delivers its outcome exactly once.
///
/// On Linux, an exchange also avoids calls that make Foundation trap. The exchange calls `cancel()` at most once per
/// task, and never after it has decided a redirect. After `cancel()`, the exchange decides no redirect.
final class Exchange: NSObject, Sendable {
    let request: TransportRequest
    // On Linux, cancelling waits for a queue that all sessions of the process share, so it must not block the caller
    // or a callback. The transport starts the task on the same queue, so that a cancellation finds the task or
    // prevents it.
    let queue: DispatchQueue
    private let state: Locked<ExchangeState>
    /// Wakes the task that sends the request when there are events for it.
    private let news = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(_ request: TransportRequest, on queue: DispatchQueue) {
        self.request = request
        self.queue = queue
        state = Locked(ExchangeState(request))
    }

    var isOver: Bool { state.withLock { $0.events.isOver } }

    /// Attaches the task that is about to be resumed.
    ///
    /// `usesCache` is whether its session checks a `URLCache` first.
    func attach(_ task: URLSessionTask, usesCache: Bool) {
        change { state in
            state.task = task
            #if !canImport(Darwin)
                // The cache responds on its own thread. A cancellation that overtakes it fails the task before it has
                // started, and starting it then traps.
                if usesCache { state.earliestCancellation = .now() + .milliseconds(250) }
            #endif
        }
    }

    /// Waits for the outcome, and passes on all events that precede the outcome.
    func run() async throws -> TransportResponse {
        let key = UInt(bitPattern: ObjectIdentifier(self))
        request.suspension?.observe(as: key) { [weak self] _ in self?.pace() }
        defer { request.suspension?.forget(key) }
        for await _ in news.stream {
            while let (progress, item) = state.withLock({ $0.events.take() }) {
                // The head comes first, because a download reads from it where its bytes start.
                if case .part(let part)? = item { try await pass(part) }
                if case .interim(let status, let headers)? = item {
                    request.report?(.interim(status: status, headers: headers))
                }
                if let progress { request.progress?(progress) }
                if case .end(let outcome)? = item { return try outcome.get() }
            }
        }
        throw CancellationError()
    }

    private func pass(_ part: ResponsePart) async throws {
        if case .head(let status, let headers) = part, request.sink.isMemory || !(200..<300 ~= status) {
            request.onFailedHead?(status, headers)
            return
        }
        guard case .stream(let receive) = request.sink else { return }
        pace()
        do { try await receive(part) } catch {
            fail(error)
            throw error
        }
    }

    /// Suspends the task while much content waits to be read, or while the request is suspended.
    ///
    /// The exchange doesn't suspend tasks on Linux, where a suspended task loses its connection and is sent again when
    /// it resumes.
    func pace() {
        #if canImport(Darwin)
            guard !request.sink.isMemory || request.suspension != nil else { return }
            queue.async {
                let turn: (task: URLSessionTask, isPause: Bool)? = self.change { state in
                    guard let task = state.task, state.isPaused != state.wantsPause else { return nil }
                    state.isPaused.toggle()
                    return (task, state.isPaused)
                }
                // On this queue, neither overtakes the other.
                guard let turn else { return }
                if turn.isPause { turn.task.suspend() } else { turn.task.resume() }
            }
        #endif
    }

    /// Fails, discards all events that haven't been passed on, and cancels the task.
    func fail(_ error: any Error) {
        let dropped = change { $0.events.fail(error) }
        withExtendedLifetime(dropped) {}
        cancelTask()
    }

    /// Ends as cancelled, because the caller's delegate declined the response.
    func stop() {
        change { $0.events.end(.failure(SimpleNetworkingError.cancelled(request.head))) }
        cancelTask()
    }

    /// Cancels the task soon, once, and only while that is safe.
    func cancelTask() {
        queue.async {
            let earliest = self.state.withLock { $0.earliestCancellation }
            guard earliest > .now() else { return self.cancelTaskNow() }
            self.queue.asyncAfter(deadline: earliest) { self.cancelTaskNow() }
        }
    }

    private func cancelTaskNow() {
        let task = state.withLock { $0.settleByCancelling() }
        // A test's own task without a request would trap.
        if let task, task.isFoundationsOwn || task.currentRequest != nil { task.cancel() }
    }

    /// Runs code while the task can't be cancelled.
    ///
    /// Does nothing if the task was already cancelled.
    ///
    /// The code runs without the lock, because Foundation may wait there until all sessions of the process are idle.
    @discardableResult
    func unlessSettled<Result>(_ work: () -> Result?) -> Result? {
        guard state.withLock({ $0.beginUse() }) else { return nil }
        defer { if state.withLock({ $0.endUse() }) { cancelTask() } }
        return work()
    }

    /// Marks the task as settled, so that it isn't called again.
    ///
    /// Returns false if it was already settled.
    func settle() -> Bool {
        state.withLock { state in
            defer { state.isSettled = true }
            return !state.isSettled
        }
    }

    /// Changes the state, and wakes the task that sends the request if there are events for it.
    @discardableResult
    func change<Result>(_ change: (inout ExchangeState) -> Result) -> Result {
        let (result, hasNews) = state.withLock { (change(&$0), $0.events.hasItems) }
        if hasNews { news.continuation.yield() }
        return result
    }
}
