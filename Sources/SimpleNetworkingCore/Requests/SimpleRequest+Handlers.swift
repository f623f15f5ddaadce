import SimpleNetworkingSupport

extension SimpleRequest {
    /// Adds a handler for successful responses.
    ///
    /// By default, a response is successful if its status is in the range 200...299.
    ///
    /// - Parameters:
    ///   - actor: The actor on which the handler runs. The default is the actor whose code calls this method. If nil,
    ///     the handler runs on the callback queue, or on the main actor if no callback queue was set and the calling
    ///     code runs on the main actor. Inside an actor, a closure that doesn't capture `self` strongly is nonisolated.
    ///   - handler: A closure that receives the response.
    ///   - owner: The object to which the handler is bound. The handler doesn't retain the object. If the object has
    ///     been deallocated, the client skips the handler. If all handlers of a request are bound to deallocated
    ///     objects, the client cancels the request within a second. The client retains the object only briefly or while
    ///     the handler runs, and only on the actor or queue where the handler runs. Therefore, a main-actor object
    ///     whose handlers run on the main actor isn't released on any other thread. The default is nil.
    ///   - fileID: The file in which the handler is defined, for the trace.
    ///   - line: The line on which the handler is defined, for the trace.
    /// - Returns: The request.
    @discardableResult public func on(
        isolation actor: (any Actor)? = #isolation,
        success handler: @escaping (SimpleResponse) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self { add(.success, .success(handler), at: CallSite(fileID, line, isolation: actor, owner: owner)) }

    /// Adds a handler for any outcome except success and `.stopped`.
    ///
    /// Only completion handlers receive `.stopped`.
    @discardableResult public func on(
        isolation actor: (any Actor)? = #isolation,
        error handler: @escaping (SimpleNetworkingError) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(.error, .error({ error, _ in handler(error) }), at: CallSite(fileID, line, isolation: actor, owner: owner))
    }

    /// Adds an error handler that also receives the response, if there was one.
    ///
    /// Error handlers of both kinds run in the order in which they were added.
    @discardableResult public func on(
        isolation actor: (any Actor)? = #isolation,
        error handler: @escaping (SimpleNetworkingError, SimpleResponse?) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self { add(.error, .error(handler), at: CallSite(fileID, line, isolation: actor, owner: owner)) }

    /// Adds a completion handler, which runs last, once per execution, regardless of the outcome.
    @discardableResult public func on(
        isolation actor: (any Actor)? = #isolation,
        completion handler: @escaping (Result<SimpleResponse, SimpleNetworkingError>) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self { add(.completion, .completion(handler), at: CallSite(fileID, line, isolation: actor, owner: owner)) }
}

/// Handlers for the events of a running request.
///
/// Like all handlers, event handlers run on the actor or queue where they were defined, in order and one at a time.
///
/// For the other parameters, see `on(isolation:success:owner:fileID:line:)`.
extension SimpleRequest {
    /// Adds a handler for the start of an execution.
    ///
    /// The handler receives the ``RequestHead`` that the first attempt sends.
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

    /// Adds a handler for each attempt after the first.
    ///
    /// The handler receives the attempt's ``RequestHead`` and number.
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

    /// Adds a handler for each redirect that the client follows.
    ///
    /// The handler receives the redirect's status and the new URL.
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

    /// Adds a handler for upload and download progress.
    ///
    /// Slow handlers skip intermediate values. If the request succeeds, progress handlers receive the last value before
    /// the handlers for the response run. In the last value, all fractions are 1. The trace omits progress handlers.
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

    /// Returns a stream that delivers the latest progress of the current execution, or otherwise of the next one.
    ///
    /// The stream ends when that execution ends. Reading it doesn't keep a request going whose handlers' owners are all
    /// released.
    ///
    /// ```swift
    /// let request = SimpleNetworking.put("/film.mp4").body(file: file, contentType: "video/mp4")
    /// let progress = request.progressUpdates()
    /// request.execute(on: api)
    /// for await update in progress { print(update.fractionSent ?? 0) }
    /// ```
    public func progressUpdates() -> AsyncStream<TransferProgress> {
        let (updates, continuation) = AsyncStream<TransferProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let report: (Notice) -> Void = { if case .progress(let news) = $0 { continuation.yield(news) } }
        let finish = Handler.Body.completion { _ in continuation.finish() }
        _ = add(.completion, finish, at: CallSite(), isCounted: false, isForNext: true)
        // An execution that ends before this line has ended the stream.
        _ = add(.progress, .notice(report), at: CallSite(), isCounted: false, isForNext: true)
        return updates
    }
}

extension SimpleRequest {
    /// Adds a handler.
    ///
    /// A handler that is added after completion is called once, asynchronously. With `isForNext`, it waits for the next
    /// execution instead.
    func add(
        _ kind: HandlerRun.Kind,
        _ body: Handler.Body,
        at site: CallSite,
        isCounted: Bool = true,
        isForNext: Bool = false
    ) -> Self {
        var handler = Handler(kind, body, at: site)
        let (execution, isLate) = state.withLock { requestState -> (Execution?, Bool) in
            let isByClient = requestState.execution?.isInHook ?? false
            handler.isCounted = isCounted && (handler.isBound || !isByClient)
            if requestState.handlers.isEmpty { requestState.handlers.reserveCapacity(4) }
            requestState.handlers.append(handler)
            if isForNext, requestState.execution?.isActive == false { return (nil, false) }
            return (
                requestState.execution,
                requestState.execution?.add(handler, to: state, on: requestState.client) ?? false
            )
        }
        if isLate { execution?.deliver() }
        if handler.isBound { execution?.watchOwnersIfNeeded() }
        return self
    }

    /// Adds a handler that receives the decoded content.
    func add(
        _ kind: HandlerRun.Kind,
        at site: CallSite,
        decoding: @escaping Handler.Decoding
    ) -> Self { add(kind, .value(decoding), at: site) }
}
