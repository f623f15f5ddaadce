import SimpleNetworkingSupport

/// Stores the events of one execution in order; a pure value.
struct EventLog {
    private(set) var events: [RequestEvent] = []
    /// The clock's time when the execution began.
    var start: TimeInterval = 0
    /// The request's number; nil until the request has been observed.
    private(set) var number: Int?
    /// The number of this execution of the request, starting at 1.
    private(set) var execution: Int
    private(set) var watcher: EventWatcher?
    /// The events not yet reported to the watcher.
    private var news: [RequestEvent] = []
    /// Whether a thread is reporting to the watcher.
    ///
    /// This thread also reports later events, so that they stay in order.
    private var isTelling = false
    /// Events over the limit, which are kept until the lock is released, because they may hold the caller's own errors.
    private var dropped: [RequestEvent] = []

    init(number: Int? = nil, execution: Int = 1) {
        self.number = number
        self.execution = execution
        // The events of a GET: sent, received, one handler, ended.
        events.reserveCapacity(4)
    }

    /// Creates the log of an execution that continues this one's.
    var continued: EventLog {
        var log = self
        log.news = []
        log.dropped = []
        log.isTelling = false
        log.execution += 1
        log.watcher = watcher.map { $0.watching(execution: log.execution) }
        return log
    }

    mutating func add(_ kind: RequestEvent.Kind, at time: TimeInterval) {
        // A request that is retried for days must not use ever more memory, so only its first and last events are
        // kept.
        if events.count >= 1000 {
            dropped += events[500..<600]
            events.removeSubrange(500..<600)
        }
        let event = RequestEvent(time: time - start, kind: kind)
        events.append(event)
        // Handler events are reported after the handler returns.
        if watcher != nil, !kind.isHandler { news.append(event) }
    }

    /// Completes the latest event, which describes the handler that has just run, because handlers never overlap.
    mutating func completeHandler(_ decision: Bool?, _ duration: TimeInterval, isRequestKept: Bool = false) {
        let last = events.lastIndex { $0.kind.isHandler }
        guard let index = last, case .handler(var run) = events[index].kind else { return }
        run.decision = decision
        run.duration = duration
        let wasRetried = events[index...].contains { if case .retry = $0.kind { true } else { false } }
        run.handling = wasRetried ? .retried : isRequestKept ? .kept : .none
        events[index].kind = .handler(run)
        if watcher != nil { news.append(events[index]) }
    }

    /// Reports each later event to a logger and monitors.
    ///
    /// With nil, no event is reported.
    mutating func watch(_ makeWatcher: ((_ number: Int, _ execution: Int) -> EventWatcher)?) {
        watcher = makeWatcher.map { makeWatcher in
            let number = number ?? Self.lastNumber.next()
            self.number = number
            return makeWatcher(number, execution)
        }
    }

    /// Returns the events to release after the lock; nil if there are no events.
    mutating func takeDropped() -> [RequestEvent]? {
        if dropped.isEmpty { return nil }
        defer { dropped = [] }
        return dropped
    }

    /// The number of the most recently observed request.
    private static let lastNumber = Locked(0)

    /// Returns the events to report outside any lock; nil if there are no events or if another thread reports them.
    ///
    /// After reporting them, the caller calls this method again.
    mutating func takeNews(afterTelling: Bool = false) -> News? {
        if isTelling, !afterTelling { return nil }
        isTelling = false
        guard let watcher, !news.isEmpty else { return nil }
        defer { news = [] }
        isTelling = true
        return News(watcher: watcher, events: news)
    }

    struct News {
        fileprivate let watcher: EventWatcher
        fileprivate let events: [RequestEvent]

        func tell() { events.forEach(watcher.see) }
    }
}

extension RequestEvent.Kind {
    fileprivate var isHandler: Bool { if case .handler = self { true } else { false } }
}
