import SimpleNetworkingSupport

extension SimpleNetworking {
    /// Executes a request and waits until it ends.
    ///
    /// The call executes a private copy of the request, including its handlers, and returns when the last handler has
    /// run. If a handler takes over the request and then releases it, the call throws `.abandoned` instead of waiting
    /// forever. To end the call early, call `cancel()` on the request, or cancel the task.
    ///
    /// - Returns: The successful response.
    /// - Throws: `SimpleNetworkingError`, or `CancellationError` if the execution was cancelled.
    @discardableResult nonisolated public func send(_ request: SimpleRequest) async throws -> SimpleResponse {
        try await send(request, to: nil)
    }

    /// Sends a request whose content goes to a receiver; `change` adapts the copy that is sent.
    @discardableResult nonisolated package func send(
        _ request: SimpleRequest,
        to receiver: ContentReceiver,
        changing change: @escaping (SimpleRequest) -> Void
    ) async throws -> SimpleResponse { try await send(request, to: .receiver(receiver), changing: change) }

    /// Sends a request whose content goes to a destination of a module; `change` adapts the copy that is sent.
    nonisolated package func send(
        _ request: SimpleRequest,
        to destination: any ResponseDestination,
        changing change: ((SimpleRequest) -> Void)? = nil
    ) async throws -> SimpleResponse { try await send(request, to: .other(destination), changing: change) }

    /// Sends a request to a content destination; if it is nil, the request keeps its own.
    @inline(__always)
    nonisolated func send(
        _ request: SimpleRequest,
        to destination: ContentDestination?,
        changing change: ((SimpleRequest) -> Void)? = nil
    ) async throws -> SimpleResponse {
        let running = Running.locked()
        return try await withTaskCancellationHandler {
            // The awaiting caller resumes it once, however the execution ends.
            try await withUnsafeThrowingContinuation { continuation in
                submit(request, to: destination, change, running, continuation)
            }
        } onCancel: {
            Running.cancel(running)
        }
    }

    /// Holds the execution that a cancelled task must cancel.
    ///
    /// It also records whether the task was cancelled before the execution existed.
    private struct Running {
        var execution: Execution?
        var isCancelled = false

        // If inlined, these two functions would enlarge the frame of the waiting function.

        @inline(never) static func locked() -> Locked<Running> { Locked(Running()) }

        @inline(never) static func cancel(_ running: Locked<Running>) {
            let execution = running.withLock { running in
                running.isCancelled = true
                return running.execution
            }
            execution?.cancel()
        }
    }

    /// Submits a copy of the request, and resumes the continuation when the copy ends.
    ///
    /// If this method were inlined, it would enlarge the frame of the waiting function. That function must not retain
    /// the copy, either.
    @inline(never)
    nonisolated private func submit(
        _ request: SimpleRequest,
        to destination: ContentDestination?,
        _ change: ((SimpleRequest) -> Void)?,
        _ running: Locked<Running>,
        _ continuation: UnsafeContinuation<SimpleResponse, any Error>
    ) {
        let caller = AwaitingCaller(request) { continuation.resume(with: $0.mapError(\.asThrown)) }
        let copy = request.copy(sendingTo: destination)
        change?(copy)
        if running.withLock({ $0.isCancelled }) { copy.cancel() }
        copy.submit(isFresh: true, on: self, caller)
        let execution = copy.execution
        let isCancelled = running.withLock { running in
            running.execution = execution
            return running.isCancelled
        }
        if isCancelled { execution?.cancel() }
        execution?.noteCaller()
    }
}

extension SimpleNetworkingError {
    /// The error for an awaiting caller, which is `CancellationError` if the request was cancelled.
    fileprivate var asThrown: any Error { isCancellation ? CancellationError() : self }
}

// MARK: Typed requests

extension SimpleNetworking {
    /// Sends a typed request, and returns the decoded value with the response.
    ///
    /// The client calls `configure` for each attempt, after `prepare(_:for:)`, so that the closure can change the
    /// attempt. If `configure` throws an error, the request ends with that error, and the attempt isn't sent. The
    /// default is nil, which changes nothing.
    ///
    /// - Throws: `SimpleNetworkingError`, or `CancellationError` if the task was cancelled. A `SimpleNetworkingError`
    ///   contains the last attempt's response and its content, if there was a response. A `.decoding` error also
    ///   contains the type and the coding path.
    @discardableResult nonisolated public func send<Value: Decodable & _SendableMetatype>(
        _ request: Request<Value>,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> sending Response<Value> {
        try await value(of: SimpleRequest(request, fileID: fileID, line: line).configured(by: configure))
    }

    /// Sends a request that doesn't decode its response.
    ///
    /// For details, see the method for requests with a value type.
    @discardableResult nonisolated public func send(
        _ request: Request<Void>,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Response<Void> {
        let request = SimpleRequest(request, fileID: fileID, line: line).configured(by: configure)
        return Response(value: (), response: try await send(request))
    }

    /// Sends a request of any type, and returns the undecoded content of its response.
    ///
    /// For details, see `send(_:configure:)`.
    nonisolated public func data<Value>(
        for request: Request<Value>,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Response<Data> {
        let request = SimpleRequest(request.withResponse(Data.self), fileID: fileID, line: line)
        let response = try await send(request.configured(by: configure))
        return Response(value: response.data, response: response)
    }

    /// Executes a typed request with handlers, and returns the request.
    ///
    /// ```swift
    /// client.execute(Paths.users("kean").repos.get) { $0.on(success: { (repos: [Repo]) in print(repos) }) }
    /// ```
    ///
    /// The closure adds handlers and options before the client executes the request.
    @discardableResult public func execute<Value>(
        _ request: Request<Value>,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest { build(SimpleRequest(request, fileID: fileID, line: line)).execute(on: self) }

    /// Sends a request and returns the decoded value with the response.
    nonisolated package func value<Value: Decodable & _SendableMetatype>(
        of request: SimpleRequest
    ) async throws -> sending Response<Value> {
        let decoded = Locked<Any?>(nil)
        let response = try await send(request.decoding(Value.self, into: decoded))
        if let value = decoded.take(), let value = value as? Value { return Response(value: value, response: response) }
        return Response(value: try response.decode(Value.self, using: decoder(for: request)), response: response)
    }
}

// MARK: Without sending

extension SimpleNetworking {
    /// Returns the ``TransportRequest`` for the given typed request, without sending it.
    ///
    /// This method calls the client's hooks, but not its middleware.
    ///
    /// - Throws: `SimpleNetworkingError` if the request can't be sent, or the error that a hook throws.
    nonisolated public func makeRequest<Value>(for request: Request<Value>) async throws -> TransportRequest {
        try await makeRequest(for: SimpleRequest(request))
    }

    /// Returns the ``TransportRequest`` for the given request, without sending it.
    ///
    /// For details, see the method for typed requests.
    nonisolated public func makeRequest(for request: SimpleRequest) async throws -> TransportRequest {
        let settings = settings
        var specification = request.specification
        if specification.lacksIdempotencyKey {
            let scheduler = settings.configuration.scheduler
            let key = request.idempotencyKey ?? RequestSpecification.makeIdempotencyKey(on: scheduler)
            specification = specification.with(idempotencyKey: key)
        }
        let plan = try RequestPlan(request, specification, on: self, settings)
        return try await plan.prepare(plan.attempt(with: settings).request).request
    }
}
