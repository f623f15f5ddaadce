/// Keeps the events of one execution in order: a pure value.
struct EventLog {
    private(set) var events: [RequestEvent] = []
    /// The clock's time when the execution began.
    var start: TimeInterval = 0
    /// The request's number, once it was observed.
    private(set) var number: Int?
    /// Counts the request's executions, from 1.
    private(set) var execution: Int
    private(set) var watcher: EventWatcher?
    /// The events that the watcher was not told yet.
    private var news: [RequestEvent] = []
    /// Whether a thread tells the watcher: it goes on with later events, so that they come in order.
    private var isTelling = false
    /// Events that there is no room for, until the lock is released: they may hold a user's errors.
    private var dropped: [RequestEvent] = []

    init(number: Int? = nil, execution: Int = 1) {
        self.number = number
        self.execution = execution
        // Those of a GET: sent, received, one handler, ended.
        events.reserveCapacity(4)
    }

    /// The log of an execution that continues the last one's.
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
        // A request that is retried for days must not grow forever: it keeps the first and the last events.
        if events.count >= 1000 {
            dropped += events[500..<600]
            events.removeSubrange(500..<600)
        }
        let event = RequestEvent(time: time - start, kind: kind)
        events.append(event)
        // Handler events are reported after the handler returns.
        if watcher != nil, !kind.isHandler { news.append(event) }
    }

    /// Completes the event of the handler that has just run: handlers of one request never overlap, so it is the last.
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

    /// Reports each event from now on to a logger and monitors; nil reports none.
    mutating func watch(_ makeWatcher: ((_ number: Int, _ execution: Int) -> EventWatcher)?) {
        watcher = makeWatcher.map { makeWatcher in
            let number = number ?? Self.lastNumber.next()
            self.number = number
            return makeWatcher(number, execution)
        }
    }

    /// The events to release after the lock; nil if there are none.
    mutating func takeDropped() -> [RequestEvent]? {
        if dropped.isEmpty { return nil }
        defer { dropped = [] }
        return dropped
    }

    /// Numbers the requests that are watched.
    private static let lastNumber = Locked(0)

    /// Returns what to tell the watcher, outside of any lock; nil for nothing, or if another thread tells it.
    ///
    /// The caller that tells it asks again afterwards.
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
