/// Keeps the handlers of one execution, and which of them is next: a pure value.
struct HandlerQueue {
    /// Says what to do for the next handler.
    enum Due {
        case run(Int)
        /// Decode the content for the handler at this position first.
        case decode(Int)
        /// The content can't be decoded for the handler.
        case undecodable(Int, SimpleNetworkingError)
    }

    var handlers: [Handler] = []
    /// Counts the results, so that a value decoded from an earlier one is recognised as stale.
    private(set) var generation = 0
    /// Handlers for values, as they are once the content was decoded; nil where there is nothing to run.
    private(set) var values: [Int: Result<Handler?, SimpleNetworkingError>] = [:]
    private var notices: [(index: Int, notice: Notice)] = []
    private var statusCursor = 0
    private(set) var valueCursor = 0
    private var outcomeCursor = 0
    private var completionCursor = 0
    private var isPageHandled = false
    /// The page to request next, or why that is impossible; nil for none.
    var nextPage: Result<PageProgress, SimpleNetworkingError>?

    /// All handlers were told of the end; later ones are added to none.
    ///
    /// Returns what was there, for the caller to release: the handlers and their values are a user's.
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
        isPageHandled = false
        nextPage = nil
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

    /// The next handler for a result's status, or for the lack of a response.
    mutating func next(for result: AttemptResult) -> Due? {
        var cursor = statusCursor
        defer { statusCursor = cursor }
        return next(from: &cursor) { $0.waits(for: result) }
    }

    /// The handler of pages, until it has handled this page.
    mutating func nextForPage() -> Due? {
        guard !isPageHandled, let due = handlers.firstIndex(where: \.takesPages).flatMap(due) else { return nil }
        if case .run = due { isPageHandled = true }
        return due
    }

    /// The first handler whose value must be decoded before a success is decided; nil if all are.
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

    /// Whether a success has to be decoded, or shown as a page, before it is one.
    var wantsSuccess: Bool { handlers.contains { $0.takesPages || $0.wantsValueOfSuccess } }

    /// Whether every handler is bound to an object; those of the client alone keep nothing going.
    var haveOwners: Bool {
        let own = handlers.lazy.filter { !$0.isByClient || $0.isBound }
        return !own.isEmpty && own.allSatisfy(\.isBound)
    }

    /// The handler at a position, with its value if that was decoded.
    func handler(at index: Int) -> Handler {
        if !values.isEmpty, case .success(let handler?)? = values[index] { return handler }
        return handlers[index]
    }

    mutating func setDecoded(_ result: Result<Handler?, SimpleNetworkingError>, at index: Int, generation: Int) {
        if generation == self.generation { values[index] = result }
    }

    /// Moves a cursor to the next handler that is due and returns what is due.
    ///
    /// A handler whose content must be decoded keeps its place.
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

    /// Nil if there is nothing to run.
    private func due(at index: Int) -> Due? {
        guard handlers[index].takesValue else { return .run(index) }
        switch values[index] {
        case nil: return .decode(index)
        case .failure(let error): return .undecodable(index, error)
        case .success(let handler): return handler == nil ? nil : .run(index)
        }
    }
}
