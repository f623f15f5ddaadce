import SimpleNetworkingSupport

/// Handlers that receive the result of an attempt first, and can stop the execution or take it over.
///
/// Each handler for a status or for a missing response returns true to continue with the next handler, or false to stop
/// the request or to take it over:
///
/// - If the handler returns false and didn't keep the request that it received, the execution ends immediately, without
///   calling success and error handlers. Completion handlers and awaiting callers receive `.stopped`.
/// - If the handler returns false and kept the request (for example, in a closure), the handler has taken over the
///   request. It can then call `retry()`, `retry(after:)`, `fail(_:)`, `succeed(with:)` or `stop()` on the request,
///   immediately or later. If the last reference to that request is released first, the execution ends with
///   `.abandoned`, which error handlers also receive.
///
/// For the other parameters, see `on(isolation:success:owner:fileID:line:)`.
extension SimpleRequest {
    /// Adds a handler for an attempt without a response, for example, after a lost connection or a timeout.
    ///
    /// The handler runs after the retry policy's last attempt and before the error handlers. If the deadline has
    /// passed, the handler doesn't run, because the deadline ends all attempts.
    ///
    /// ```swift
    /// api.get("/user") {
    ///     $0.on(noResponse: { request, error in
    ///         offerToTryAgain { request.retry() }
    ///         return false
    ///     })
    /// }
    /// ```
    @discardableResult public func on(
        isolation actor: (any Actor)? = #isolation,
        noResponse handler: @escaping (SimpleRequest, SimpleNetworkingError) -> Bool,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self { add(.noResponse, .noResponse(handler), at: CallSite(fileID, line, isolation: actor, owner: owner)) }

    /// Adds a handler for responses with the given status, from 200 to 599.
    ///
    /// The handler runs before the client decides whether the response is a success or an error.
    @discardableResult public func on(
        isolation actor: (any Actor)? = #isolation,
        httpStatus status: Int,
        _ handler: @escaping StatusHandler,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(
            .status(HTTPStatuses(status...status)),
            .status(handler),
            at: CallSite(fileID, line, isolation: actor, owner: owner)
        )
    }

    /// Adds a handler for responses with one of several statuses, such as `[401, 403]` or `500...599`.
    @discardableResult public func on(
        isolation actor: (any Actor)? = #isolation,
        httpStatus statuses: some Sequence<Int>,
        _ handler: @escaping StatusHandler,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(
            .status(HTTPStatuses(statuses)),
            .status(handler),
            at: CallSite(fileID, line, isolation: actor, owner: owner)
        )
    }

    /// Adds a handler for responses whose status is in a class, such as `.clientError`.
    @discardableResult public func on(
        isolation actor: (any Actor)? = #isolation,
        httpStatus statuses: HTTPStatuses,
        _ handler: @escaping StatusHandler,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self { add(.status(statuses), .status(handler), at: CallSite(fileID, line, isolation: actor, owner: owner)) }

    /// Unavailable: the label is `httpStatus`.
    @available(*, unavailable, renamed: "on(httpStatus:_:)")
    @discardableResult public func on(_ status: Int, _ handler: @escaping StatusHandler) -> Self { self }

    /// Adds a handler that receives the decoded content of responses with the given status.
    ///
    /// The handler runs before the client decides whether the response is a success or an error. If the content can't
    /// be decoded, the handler isn't called, and the request ends with `.decoding`.
    @discardableResult public func on<Value: Decodable & _SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        httpStatus status: Int,
        decoding type: Value.Type,
        _ handler: @escaping (Value, SimpleRequest, SimpleResponse) -> Bool,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(
            type,
            for: HTTPStatuses(status...status),
            at: CallSite(fileID, line, isolation: actor, owner: owner),
            handler
        )
    }

    /// Adds a handler that receives the decoded content of responses with any of several statuses.
    ///
    /// Pass a class such as `.clientError`, a list such as `[400, 422]`, or a range such as `HTTPStatuses(400..<500)`.
    @discardableResult public func on<Value: Decodable & _SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        httpStatus statuses: HTTPStatuses,
        decoding type: Value.Type,
        _ handler: @escaping (Value, SimpleRequest, SimpleResponse) -> Bool,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self { add(type, for: statuses, at: CallSite(fileID, line, isolation: actor, owner: owner), handler) }

    private func add<Value: Decodable & _SendableMetatype>(
        _ type: Value.Type,
        for statuses: HTTPStatuses,
        at site: CallSite,
        _ handler: @escaping (Value, SimpleRequest, SimpleResponse) -> Bool
    ) -> Self {
        add(.status(statuses), at: site) { (source) throws(SimpleNetworkingError) in
            guard let value = try source.value(of: type) else { return nil }
            return .status { handler(value, $0, $1) }
        }
    }

    /// The handlers that were added for exactly one status, grouped by status, in the order in which they were added.
    ///
    /// Handlers that receive a decoded value aren't included, but `handles(httpStatus:)` considers them.
    public var httpStatusHandlers: [Int: [StatusHandler]] {
        state.withLock { $0.handlers }.reduce(into: [:]) { found, handler in
            guard case (.status(let statuses), .status(let body)) = (handler.kind, handler.body),
                let code = statuses.single
            else { return }
            found[code, default: []].append(body)
        }
    }

    /// Returns whether a handler was added for the given status, either alone or as part of a list or range.
    public func handles(httpStatus status: Int) -> Bool {
        state.withLock { $0.handlers.contains { $0.waits(forStatus: status) } }
    }
}
