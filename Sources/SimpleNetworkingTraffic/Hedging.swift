import SimpleNetworkingFeatureSupport

/// Sends a request a second time if its response stalls, and uses the first response.
///
/// ```swift
/// let api = SimpleNetworking(host: "api.example.com") { $0.middleware = [Hedging(after: 0.2)] }
/// ```
///
/// A response stalls if no content arrives for the given delay, at its beginning or later. Choose a delay within which
/// the content of nearly all responses begins to arrive, such as the 99th percentile of the time to the first byte. A
/// stalled request then takes this delay plus the time of one ordinary request. With a shorter delay, ordinary requests
/// would use up the share of requests that may be hedged. The delay doesn't include the time for which a request waits
/// for its turn. The client cancels the slower of the two requests.
///
/// Content is noticed while it arrives if the transport reports progress, as both built-in engines do. A transport
/// without these reports has to deliver the whole response within the delay. This includes a session that you create
/// yourself, and compressed content with `URLSession`.
///
/// Only GET and HEAD requests without content are hedged; streams and file downloads aren't hedged. At most the given
/// share of a client's last 1,000 requests is hedged. With the default share of 2%, the first 49 requests are never
/// hedged.
public final class Hedging: Middleware {
    /// Decides which requests may be sent twice, as a share of recent requests.
    struct Budget: Sendable {
        let share: Double
        private var requests = 0
        private var counts = SlidingCounts(length: 1_000)

        init(share: Double) { self.share = share }

        mutating func noteRequest() {
            counts.add(all: 1, marked: 0, at: Double(requests))
            requests = requests.addingSaturated(1)
        }

        mutating func take() -> Bool {
            let last = Double(requests) - 1
            let sum = counts.counts(at: last)
            guard Double(sum.marked) + 1 <= share * Double(sum.all) else { return false }
            counts.add(all: 0, marked: 1, at: last)
            return true
        }
    }

    private let delay: TimeInterval
    private let budget: Locked<Budget>

    /// Creates hedging middleware.
    ///
    /// - Parameters:
    ///   - seconds: The time, in seconds, without any content after which the second request is sent.
    ///   - share: The share of requests that may be sent twice. The default is 0.02.
    public init(after seconds: TimeInterval, share: Double = 0.02) {
        delay = seconds
        budget = Locked(Budget(share: share))
    }

    /// Passes the request on, and passes it on a second time if the first response stalls.
    ///
    /// - Throws: The first error, if neither request received a response.
    public func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard request.mayBeHedged else { return try await next(request) }
        budget.withLock { $0.noteRequest() }
        // The requests have tasks of their own, which would begin before they are cancelled, too.
        try Task.checkCancellation()
        let race = Race(on: request.scheduler)
        defer { race.end() }
        let activity = Activity(request.clientClock)
        var first = request
        first.onActivity = { activity.note() }
        race.enter { [first] in try await next(first) }
        race.start { [delay, budget] in
            // It fails only if the second request is no longer needed.
            try? await activity.waitForStall(of: delay)
            guard !race.isOver, budget.withLock({ $0.take() }) else { return }
            request.report?(.note(TrafficStep.hedged(after: delay)))
            var hedge = request
            hedge.isDuplicate = true
            race.enter { [hedge] in try await next(hedge) }
        }
        return try await withTaskCancellationHandler {
            try await race.winner.value()
        } onCancel: {
            race.end()
        }
    }
}

/// Lets equal requests compete for the first response.
///
/// It doesn't wait for the slower request: user code may not notice that it was cancelled.
private final class Race: Sendable {
    private struct State {
        var tasks: [Task<Void, Never>] = []
        /// The number of requests that may still get a response.
        var running = 0
        var failure: (any Error)?
        var isOver = false
    }

    /// The first response, or the first error if there is no response.
    let winner = FirstResult<TransportResponse>()
    private let scheduler: Scheduler?
    private let state = Locked(State())

    init(on scheduler: Scheduler?) { self.scheduler = scheduler }

    var isOver: Bool { state.withLock(\.isOver) }

    /// Sends a request, unless the race is over.
    func enter(_ send: @escaping @Sendable () async throws -> TransportResponse) {
        let isOpen = state.withLock { state in
            if !state.isOver { state.running += 1 }
            return !state.isOver
        }
        guard isOpen else { return }
        start { [self] in
            do { winner.finish(.success(try await send())) } catch { fail(error) }
        }
    }

    /// Starts work that is cancelled at the end of the race.
    func start(_ work: @escaping @Sendable () async -> Void) {
        let task = Task.start(on: scheduler, work)
        let isOver = state.withLock { state in
            if !state.isOver { state.tasks.append(task) }
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    /// Cancels whatever is still running.
    func end() {
        let tasks = state.withLock { state in
            state.isOver = true
            defer { state.tasks = [] }
            return state.tasks
        }
        for task in tasks { task.cancel() }
    }

    private func fail(_ error: any Error) {
        let failure: (any Error)? = state.withLock { state in
            state.failure = state.failure ?? error
            state.running -= 1
            guard state.running == 0 else { return nil }
            state.isOver = true
            return state.failure
        }
        if let failure { winner.finish(.failure(failure)) }
    }
}

/// Knows when a request was sent, and when its content last arrived.
private final class Activity: Sendable {
    private let clock: any RequestClock
    private let latest = Locked<TimeInterval?>(nil)
    private let first = FirstResult<TimeInterval>()

    init(_ clock: any RequestClock) { self.clock = clock }

    func note() {
        let now = clock.now
        if latest.exchange(now) == nil { first.finish(.success(now)) }
    }

    /// Waits until the request was sent and nothing has happened for the given time.
    func waitForStall(of seconds: TimeInterval) async throws {
        var start = try await first.value()
        while true {
            try await clock.sleep(start + seconds - clock.now, for: .hedge)
            guard let latest = latest.withLock({ $0 }), latest != start else { return }
            start = latest
        }
    }
}

extension TransportRequest {
    /// Whether the request may be sent twice: it is safe, has no content, and its response is kept in memory.
    fileprivate var mayBeHedged: Bool { isRead && !isTransfer }
}
