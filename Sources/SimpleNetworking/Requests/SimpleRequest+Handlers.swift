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
    ///     The object is retained only briefly or while the handler runs, and only where the handler runs: an object
    ///     of the main actor whose handlers run there is not released elsewhere. The default is none.
    ///   - fileID: Where the handler was written, for the trace.
    ///   - line: Where the handler was written, for the trace.
    /// - Returns: The request.
    @discardableResult public func on(
        isolation actor: (any Actor)? = #isolation,
        success handler: @escaping (SimpleResponse) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self { add(.success, .success(handler), at: CallSite(fileID, line, isolation: actor, owner: owner)) }

    /// Adds a handler for any outcome other than success; only completion handlers receive `.stopped`.
    @discardableResult public func on(
        isolation actor: (any Actor)? = #isolation,
        error handler: @escaping (SimpleNetworkingError) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(.error, .error({ error, _ in handler(error) }), at: CallSite(fileID, line, isolation: actor, owner: owner))
    }

    /// Adds a handler for any outcome other than success; it also takes the response, if there was one.
    ///
    /// It runs in the order in which it was added, together with the handlers that take only the error.
    @discardableResult public func on(
        isolation actor: (any Actor)? = #isolation,
        error handler: @escaping (SimpleNetworkingError, SimpleResponse?) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self { add(.error, .error(handler), at: CallSite(fileID, line, isolation: actor, owner: owner)) }

    /// Adds a handler for any outcome; it runs last, once per execution.
    @discardableResult public func on(
        isolation actor: (any Actor)? = #isolation,
        completion handler: @escaping (Result<SimpleResponse, SimpleNetworkingError>) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self { add(.completion, .completion(handler), at: CallSite(fileID, line, isolation: actor, owner: owner)) }
}

/// Handlers for the events of a running request. Like all handlers, they run where they were written, in order, one at
/// a time.
///
/// The other parameters are those of `on(isolation:success:owner:fileID:line:)`.
extension SimpleRequest {
    /// Adds a handler for the start of an execution; it takes what the first attempt sends.
    @discardableResult public func on(
        isolation actor: (any Actor)? = #isolation,
        start handler: @escaping (RequestHead) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(
            .start,
            .notice { if case .event(.sent(let head, _)) = $0 { handler(head) } },
            at: CallSite(fileID, line, isolation: actor, owner: owner)
        )
    }

    /// Adds a handler for each further attempt; it takes what is sent and the attempt's number.
    @discardableResult public func on(
        isolation actor: (any Actor)? = #isolation,
        retry handler: @escaping (RequestHead, Int) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        let run: (Notice) -> Void = { if case .event(.sent(let head, let attempt)) = $0 { handler(head, attempt) } }
        return add(.retry, .notice(run), at: CallSite(fileID, line, isolation: actor, owner: owner))
    }

    /// Adds a handler for each redirect that is followed; it takes the redirect's status and the new URL.
    @discardableResult public func on(
        isolation actor: (any Actor)? = #isolation,
        redirect handler: @escaping (Int, URL) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        let run: (Notice) -> Void = {
            if case .event(.redirected(let status, let url, _)) = $0 { handler(status, url) }
        }
        return add(.redirect, .notice(run), at: CallSite(fileID, line, isolation: actor, owner: owner))
    }

    /// Adds a handler for the progress of what is sent and received.
    ///
    /// Slow progress handlers skip intermediate values. The last value of a success comes before all other handlers,
    /// and has all fractions at 1. The trace omits progress handlers.
    @discardableResult public func on(
        isolation actor: (any Actor)? = #isolation,
        progress handler: @escaping (TransferProgress) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(
            .progress,
            .notice { if case .progress(let news) = $0 { handler(news) } },
            at: CallSite(fileID, line, isolation: actor, owner: owner)
        )
    }

    /// Returns the progress of the next execution, always the newest value; the stream ends when that execution ends.
    ///
    /// ```swift
    /// let request = SimpleNetworking.get("/film.mp4").download(to: file)
    /// let progress = request.progressUpdates()
    /// request.execute(on: api)
    /// for await update in progress { print(update.fractionReceived ?? 0) }
    /// ```
    public func progressUpdates() -> AsyncStream<TransferProgress> {
        let (updates, continuation) = AsyncStream<TransferProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
        on(isolation: nil, progress: { continuation.yield($0) })
        on(isolation: nil, completion: { _ in continuation.finish() })
        return updates
    }
}

extension SimpleRequest {
    /// Adds a handler; after completion it is called once, asynchronously.
    func add(
        _ kind: HandlerRun.Kind,
        _ body: Handler.Body,
        at site: CallSite
    ) -> Self {
        var handler = Handler(kind, body, at: site)
        let late = state.withLock { said in
            handler.isByClient = said.execution?.isSubmitted ?? false
            if said.handlers.isEmpty { said.handlers.reserveCapacity(4) }
            said.handlers.append(handler)
            return said.execution.flatMap { $0.add(handler, to: state, on: said.client) ? $0 : nil }
        }
        late?.deliver()
        return self
    }

    /// Adds a handler that gets the content as a value.
    func add(
        _ kind: HandlerRun.Kind,
        at site: CallSite,
        decoding: @escaping Handler.Decoding
    ) -> Self { add(kind, .value(decoding), at: site) }
}
