/// Follows one `URLSessionTask` from its start to its end, and gives its outcome exactly once.
///
/// On Linux it also keeps the rules whose breach ends the process: at most one `cancel()` per task, none once a redirect
/// was answered, and no answer to a redirect after `cancel()`.
final class Exchange: NSObject, Sendable {
    let request: TransportRequest
    // Cancelling waits for a queue that all sessions of the process share on Linux, so it must not hold up the caller,
    // nor a callback. The transport starts the task on the same queue: a cancellation finds a task or prevents one.
    let queue: DispatchQueue
    private let state: Locked<ExchangeState>

    init(_ request: TransportRequest, on queue: DispatchQueue) {
        self.request = request
        self.queue = queue
        state = Locked(ExchangeState(request))
    }

    var isOver: Bool { state.withLock { $0.news.isOver } }

    /// Takes the task that is about to be resumed.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - looksIntoCache: Whether its session asks a `URLCache` before it loads.
    func attach(_ task: URLSessionTask, looksIntoCache: Bool) {
        change { state in
            state.task = task
            #if !canImport(Darwin)
                // The cache answers on a thread of its own. A cancellation that overtakes the answer fails the task
                // before it is started, and starting it then ends the process. Whoever cancels does not wait for this.
                if looksIntoCache { state.earliestCancellation = .now() + .milliseconds(250) }
            #endif
        }
    }

    // MARK: - In the task that sends

    /// Waits for the outcome, and passes on what comes before it.
    func run() async throws -> TransportResponse {
        while true {
            let (progress, item) = await next()
            // The head first: it may say that content is the rest of something.
            if case .part(let part)? = item { try await pass(part) }
            if let progress { request.progress?(progress) }
            if case .end(let outcome)? = item { return try outcome.get() }
        }
    }

    private func next() async -> (progress: TransferProgress?, item: TransferNews.Item?) {
        while true {
            if let news = change({ $0.news.take() }) { return news }
            await withCheckedContinuation { waiter in change { $0.waiter = waiter } }
        }
    }

    private func pass(_ part: ResponsePart) async throws {
        guard case .stream(let receive) = request.sink else { return }
        pace()
        do {
            try await receive(part)
        } catch {
            breakOff(error)
            throw error
        }
    }

    // MARK: - From anywhere

    /// Ends before all that has not been passed on, and gives the task up.
    func breakOff(_ error: any Error) {
        change { $0.news.breakOff(error) }
        cancelTask()
    }

    /// Ends as cancelled, since the caller's delegate wants no answer.
    func giveUp() {
        change { $0.news.end(.failure(SimpleNetworkingError.cancelled(request.head))) }
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
        let task: URLSessionTask? = state.withLock { state in
            guard !state.isSettled, let task = state.task else { return nil }
            state.isSettled = true
            return task
        }
        // A test's own task that has no request would end the process here.
        if let task, task.isFoundationsOwn || task.currentRequest != nil { task.cancel() }
    }

    /// Runs code while nobody can cancel the task, and not at all if somebody did.
    @discardableResult
    func unlessSettled<Result>(_ read: () -> Result?) -> Result? {
        state.withLock { $0.isSettled ? nil : read() }
    }

    /// Changes what is known, and wakes the task that sends if there is something for it.
    @discardableResult
    func change<Result>(_ change: (inout ExchangeState) -> Result) -> Result {
        let (result, waiter) = state.withLock { state in
            let result = change(&state)
            guard state.news.hasItems else { return (result, CheckedContinuation<Void, Never>?.none) }
            defer { state.waiter = nil }
            return (result, state.waiter)
        }
        waiter?.resume()
        return result
    }
}
