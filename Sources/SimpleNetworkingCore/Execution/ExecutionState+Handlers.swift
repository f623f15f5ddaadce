import SimpleNetworkingSupport

/// Adds handlers: the request's own at the start or at the end, and later ones individually.
extension ExecutionState {
    /// Adds the request's handlers, once; later handlers are added individually.
    mutating func fill(_ handlers: [Handler]) {
        if hasHandlers { return }
        queue.handlers = handlers
        hasHandlers = true
    }

    /// Adds a handler, and returns whether it must run after the already reported end.
    mutating func add(_ handler: Handler) -> Bool {
        guard hasHandlers, next == nil else {
            // The request has the handler too, and the next execution takes it from there.
            if hasHandlers { handlersForNext.append(handler) }
            return false
        }
        queue.handlers.append(handler)
        guard phase == .ended, let outcome, handler.isCompletion || handler.waits(for: outcome) else { return false }
        reopen()
        return true
    }

    /// Returns the handlers that wait for the next execution, for the caller to release or to add.
    mutating func takeHandlersForNext() -> [Handler] {
        defer { handlersForNext = [] }
        return handlersForNext
    }
}
