extension SimpleRequest {
    /// Adds a handler for success: a status of 200...299, or one of the acceptable ones.
    ///
    /// - Parameters:
    ///   - actor: Where the handler runs. The default is the actor whose code calls this; nil means the callback queue, or
    ///     the main actor where that runs the code and no callback queue was set. In an actor's method, Swift takes a
    ///     closure that does not use `self`, or only weakly, as written outside it.
    ///   - handler: Takes the response.
    ///   - owner: An object that the handler is bound to, and does not keep alive: the handler is left out when it is
    ///     gone, and a request all of whose handlers are bound to objects that are gone is cancelled within a second. The
    ///     default is none.
    ///   - fileID: Where the handler was written, for the trace.
    ///   - line: Where the handler was written, for the trace.
    /// - Returns: The request.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        success handler: @escaping SuccessHandler,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(.success(Isolated(actor: actor, fileID: fileID, line: line, owner: owner.map(Owner.init), body: handler)))
    }

    /// Adds a handler for any end that is not a success.
    ///
    /// It runs where it was written.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        error handler: @escaping (SimpleNetworkingError) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        on(isolation: actor, error: { error, _ in handler(error) }, owner: owner, fileID: fileID, line: line)
    }

    /// Adds a handler for any end that is not a success; it also takes the response, if one came.
    ///
    /// It runs where it was written, in one order with the handlers that take the error alone.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        error handler: @escaping ErrorHandler,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(.error(Isolated(actor: actor, fileID: fileID, line: line, owner: owner.map(Owner.init), body: handler)))
    }

    /// Adds a handler for any end.
    ///
    /// It runs last, once per execution, where it was written.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        completion handler: @escaping CompletionHandler,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(
            .completion(Isolated(actor: actor, fileID: fileID, line: line, owner: owner.map(Owner.init), body: handler))
        )
    }

    /// A handler that comes after the end hears of the end, once, and not before this has returned.
    func add(_ handler: RequestHandler) -> Self {
        if handler.isNotice { core.observe() }
        let isLate = core.state.withLock { state in
            if state.handlers.isEmpty { state.handlers.reserveCapacity(4) }
            state.handlers.append(handler)
            guard let outcome = state.outcome else { return false }
            guard handler.isCompletion || handler.waits(for: outcome) else { return false }
            return state.execution.reopen()
        }
        if isLate { core.wake(holding: nil) }
        return self
    }
}
