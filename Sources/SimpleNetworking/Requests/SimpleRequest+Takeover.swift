/// Handlers that look at what came of an attempt first, and may take the request over.
extension SimpleRequest {
    /// Adds a handler for an attempt that brought no response: no connection, or no answer in time.
    ///
    /// It runs before the error handlers, where it was written, when nothing sends the request again by itself. It does not
    /// run for a deadline that has passed, which ends all attempts.
    ///
    /// ```swift
    /// api.get("/user") {
    ///     $0.on(noResponse: { request, error in
    ///         offerToTryAgain { request.retry() }
    ///         return false
    ///     })
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - actor: Where the handler runs. The default is the actor whose code calls this; nil means the callback queue.
    ///   - handler: Takes what kept the response from coming. It returns true to let the next handler go on, or false to take
    ///     the request over: it may then `retry()`, `retry(after:)`, `fail(_:)`, `succeed(with:)` or `abandon()`, at once
    ///     or later.
    ///   - owner: An object that the handler is bound to: it is left out when that is gone. The default is none.
    ///   - fileID: Where the handler was written, for the trace.
    ///   - line: Where the handler was written, for the trace.
    /// - Returns: The request.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        noResponse handler: @escaping NoResponseHandler,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(
            .noResponse(Isolated(actor: actor, fileID: fileID, line: line, owner: owner.map(Owner.init), body: handler))
        )
    }

    /// Adds a handler for responses of one status, before success or error is decided.
    ///
    /// It runs where it was written.
    ///
    /// - Parameters:
    ///   - actor: Where the handler runs. The default is the actor whose code calls this; nil means the callback queue.
    ///   - status: The status code, 200...599.
    ///   - handler: Returns true to let the next handler go on, or false to take the request over: it may then
    ///     `retry()`, `retry(after:)`, `fail(_:)`, `succeed(with:)` or `abandon()`, at once or later.
    ///   - owner: An object that the handler is bound to: it is left out when that is gone. The default is none.
    ///   - fileID: Where the handler was written, for the trace.
    ///   - line: Where the handler was written, for the trace.
    /// - Returns: The request.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        httpStatus status: Int,
        _ handler: @escaping StatusHandler,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        on(
            isolation: actor,
            httpStatus: HTTPStatuses(status...status),
            handler,
            owner: owner,
            fileID: fileID,
            line: line
        )
    }

    /// Adds a handler for responses of any of several statuses: a list such as `[401, 403]`, a range such as
    /// `500...599`.
    ///
    /// It runs where it was written.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        httpStatus statuses: some Sequence<Int>,
        _ handler: @escaping StatusHandler,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        on(isolation: actor, httpStatus: HTTPStatuses(statuses), handler, owner: owner, fileID: fileID, line: line)
    }

    /// Adds a handler for responses of a named class of statuses, such as `.clientError`.
    ///
    /// It runs where it was written.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        httpStatus statuses: HTTPStatuses,
        _ handler: @escaping StatusHandler,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(
            .status(
                statuses,
                Isolated(actor: actor, fileID: fileID, line: line, owner: owner.map(Owner.init), body: handler)
            )
        )
    }

    /// The handlers that were added for exactly one status, by that status, in order.
    ///
    /// Those that wait for a value are not among them; `handles(httpStatus:)` counts them too.
    public var httpStatusHandlers: [Int: [StatusHandler]] {
        core.state.withLock { $0.handlers }.reduce(into: [:]) { found, handler in
            if case .status(let statuses, let status) = handler, let code = statuses.single {
                found[code, default: []].append(status.body)
            }
        }
    }

    /// Tells whether a handler was added for a status: for it alone, for a list or for a range.
    public func handles(httpStatus status: Int) -> Bool {
        core.state.withLock { $0.handlers.contains { $0.waits(for: status) } }
    }
}
