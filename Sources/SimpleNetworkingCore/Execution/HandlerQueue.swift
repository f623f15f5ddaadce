import SimpleNetworkingSupport

/// The handlers of one execution, and which handler is next.
///
/// The queue is a pure value.
struct HandlerQueue {
    /// The action for the next handler.
    enum Due {
        case run(Int)
        /// The content must first be decoded for the handler at this position.
        case decode(Int)
        /// The content can't be decoded for the handler.
        case undecodable(Int, SimpleNetworkingError)
    }

    var handlers: [Handler] = []
    /// The number of results, so that a value decoded from an earlier result is recognized as stale.
    private(set) var generation = 0
    /// The handlers with their decoded values, or nil where there is nothing to run.
    private(set) var values: [Int: Result<Handler?, SimpleNetworkingError>] = [:]
    private var notices: [(index: Int, notice: Notice)] = []
    private var statusCursor = 0
    private(set) var valueCursor = 0
    private var outcomeCursor = 0
    private var completionCursor = 0
    private var isFollowUpDecided = false
    /// What the execution goes on with, or the error that prevents that; nil if nothing follows.
    var followUp: Result<any FollowUp, SimpleNetworkingError>?

    /// Removes all handlers after they were notified of the end; no handlers are added to the queue later.
    ///
    /// Returns the former queue, which the caller releases, because the handlers and their values belong to the user.
    mutating func removeAll() -> HandlerQueue {
        let former = self
        self = HandlerQueue()
        generation = former.generation + 1
        return former
    }

    mutating func restart() {
        generation += 1
        statusCursor = 0
        valueCursor = 0
        outcomeCursor = 0
        completionCursor = 0
        if !values.isEmpty { values = [:] }
        isFollowUpDecided = false
        followUp = nil
    }

    mutating func add(_ notice: Notice) -> Bool {
        // Slow progress handlers skip intermediate values.
        if notice.isProgress { notices.removeAll { $0.notice.isProgress } }
        var isHeard = false
        for index in handlers.indices where handlers[index].waits(for: notice) {
            notices.append((index, notice))
            isHeard = true
        }
        return isHeard
    }

    mutating func takeNotice() -> (index: Int, notice: Notice)? { notices.isEmpty ? nil : notices.removeFirst() }

    /// Returns the next handler for a result's status, or for the lack of a response.
    mutating func next(for result: AttemptResult) -> Due? {
        var cursor = statusCursor
        defer { statusCursor = cursor }
        return next(from: &cursor) { $0.waits(for: result) }
    }

    /// Returns the handler that decides what follows, until it has decided.
    mutating func nextForFollowUp() -> Due? {
        guard !isFollowUpDecided, let due = handlers.firstIndex(where: \.decidesFollowUp).flatMap(due) else {
            return nil
        }
        if case .run = due { isFollowUpDecided = true }
        return due
    }

    /// Returns the first handler whose value must be decoded before a success is decided, or nil if none remains.
    mutating func nextForValue() -> Due? {
        while valueCursor < handlers.count {
            if handlers[valueCursor].wantsValueOfSuccess {
                switch due(at: valueCursor) {
                case .run, nil: break
                case let due?: return due
                }
            }
            valueCursor += 1
        }
        return nil
    }

    mutating func next(for outcome: Outcome) -> Due? {
        var cursor = outcomeCursor
        defer { outcomeCursor = cursor }
        return next(from: &cursor) { $0.waits(for: outcome) }
    }

    mutating func nextForCompletion() -> Due? {
        var cursor = completionCursor
        defer { completionCursor = cursor }
        return next(from: &cursor) { $0.isCompletion }
    }

    /// Whether a response must be decoded, or a handler decides what follows, before it counts as a success.
    var wantsSuccess: Bool { handlers.contains { $0.decidesFollowUp || $0.wantsValueOfSuccess } }

    /// Whether every handler that counts is bound to an object.
    var haveOwners: Bool {
        handlers.contains { $0.isCounted && $0.isBound } && handlers.allSatisfy { $0.isBound || !$0.isCounted }
    }

    /// Returns the handler at a position, with its value if the value was decoded.
    func handler(at index: Int) -> Handler {
        if !values.isEmpty, case .success(let handler?)? = values[index] { return handler }
        return handlers[index]
    }

    /// Forgets what was decoded from an earlier response.
    mutating func dropValues() {
        generation += 1
        values = [:]
    }

    mutating func setDecoded(_ result: Result<Handler?, SimpleNetworkingError>, at index: Int, generation: Int) {
        if generation == self.generation { values[index] = result }
    }

    /// Moves a cursor to the next handler that is due, and returns what is due.
    ///
    /// The cursor stays at a handler whose content must be decoded.
    private func next(from cursor: inout Int, where isDue: (Handler) -> Bool) -> Due? {
        while cursor < handlers.count {
            let index = cursor
            cursor += 1
            guard isDue(handlers[index]), let due = due(at: index) else { continue }
            if case .decode = due { cursor = index }
            return due
        }
        return nil
    }

    /// Returns what is due at a position, or nil if there is nothing to run.
    private func due(at index: Int) -> Due? {
        guard handlers[index].takesValue else { return .run(index) }
        switch values[index] {
        case nil: return .decode(index)
        case .failure(let error): return .undecodable(index, error)
        case .success(let handler): return handler == nil ? nil : .run(index)
        }
    }
}
