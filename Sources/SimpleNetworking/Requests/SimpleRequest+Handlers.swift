extension SimpleRequest {
    /// Adds a handler for success: a status of 200...299, or one of the acceptable ones.
    ///
    /// - Parameters:
    ///   - actor: Where the handler runs. The default is the actor whose code calls this; nil means the callback queue,
    ///     or the main actor where that runs the code and no callback queue was set. Inside an actor, a closure that
    ///     doesn't capture `self` strongly is nonisolated.
    ///   - handler: Takes the response.
    ///   - owner: An object that the handler is bound to, without retaining it: the handler is skipped when the object
    ///     was released, and a request whose handlers are all bound to released objects is cancelled within a second.
    ///     The default is none.
    ///   - fileID: Where the handler was written, for the trace.
    ///   - line: Where the handler was written, for the trace.
    /// - Returns: The request.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        success handler: @escaping (SimpleResponse) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(.success, HandlerSite(actor, fileID, line, owner: owner), .success(handler))
    }

    /// Adds a handler for any outcome that is not a success; `.stopped` is told to completion handlers only.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        error handler: @escaping (SimpleNetworkingError) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(.error, HandlerSite(actor, fileID, line, owner: owner), .error({ error, _ in handler(error) }))
    }

    /// Adds a handler for any outcome that is not a success, which also takes the response, if one came.
    ///
    /// It runs in one order with the handlers that take the error alone.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        error handler: @escaping (SimpleNetworkingError, SimpleResponse?) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(.error, HandlerSite(actor, fileID, line, owner: owner), .error(handler))
    }

    /// Adds a handler for any outcome; it runs last, once per execution.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        completion handler: @escaping (Result<SimpleResponse, SimpleNetworkingError>) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(.completion, HandlerSite(actor, fileID, line, owner: owner), .completion(handler))
    }

    /// Adds a handler; after completion it is called once, asynchronously.
    func add(_ kind: HandlerRun.Kind, _ site: HandlerSite, _ body: Handler.Body) -> Self {
        let late = state.withLock { said in
            let handler = Handler(kind, site, body, isByClient: said.execution?.isSubmitted ?? false)
            if said.handlers.isEmpty { said.handlers.reserveCapacity(4) }
            said.handlers.append(handler)
            return said.execution.flatMap { $0.add(handler, to: state, on: said.client) ? $0 : nil }
        }
        late?.deliver()
        return self
    }

    /// Adds a handler that gets the content as a value.
    func add(_ kind: HandlerRun.Kind, _ site: HandlerSite, decoding: @escaping Handler.Decoding) -> Self {
        add(kind, site, .value(decoding))
    }
}
