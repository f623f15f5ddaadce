extension SimpleNetworking {
    /// Sends a typed request and waits for its value.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - configure: Changes each attempt last, after `prepare(_:for:)`; an error that it throws ends the request, and
    ///     nothing is sent. The default changes nothing.
    ///   - fileID: Where the request is made, for the log.
    ///   - line: Where the request is made, for the log.
    /// - Returns: The value and the response, which may be discarded.
    /// - Throws: `SimpleNetworkingError`, with the last attempt's response and its content if there was one.
    ///   `.decoding` names the type and the coding path. `CancellationError` when the task was cancelled.
    @discardableResult
    nonisolated public func send<Value: Decodable & _SendableMetatype>(
        _ request: Request<Value>,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> sending Response<Value> {
        try await value(of: SimpleRequest(request, fileID: fileID, line: line).configured(by: configure))
    }

    /// Sends a request and waits for the value of its response.
    nonisolated func value<Value: Decodable & _SendableMetatype>(
        of request: SimpleRequest
    ) async throws -> sending Response<Value> {
        let value = Locked<Value?>(nil)
        let response = try await send(request.decoding(Value.self, into: value))
        let decoded = try value.withLock { $0 } ?? response.decode(Value.self, using: decoder(for: request))
        return Response(value: decoded, response: response)
    }

    /// Sends a request without a value and waits for its end; see the method for typed requests.
    @discardableResult
    nonisolated public func send(
        _ request: Request<Void>,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Response<Void> {
        let request = SimpleRequest(request, fileID: fileID, line: line).configured(by: configure)
        return Response(value: (), response: try await send(request))
    }

    /// Sends a request of any type and waits for its content, undecoded; see the method for typed requests.
    nonisolated public func data<Value>(
        for request: Request<Value>,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Response<Data> {
        let response = try await send(SimpleRequest(request, fileID: fileID, line: line).configured(by: configure))
        return Response(value: response.data, response: response)
    }

    /// Executes a typed request with handlers, and returns the request.
    ///
    /// ```swift
    /// client.execute(Paths.users("kean").repos.get) { $0.on(success: { (repos: [Repo]) in print(repos) }) }
    /// ```
    ///
    /// The closure adds handlers and options before the request is executed.
    @discardableResult
    public func execute<Value>(
        _ request: Request<Value>,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        build(SimpleRequest(request, fileID: fileID, line: line)).execute(on: self)
    }

    /// Makes what would be sent for a typed request, without sending it.
    ///
    /// Hooks are called, middleware is not.
    ///
    /// - Throws: `SimpleNetworkingError` for a request that can't be sent, or a hook's error.
    nonisolated public func makeRequest<Value>(for request: Request<Value>) async throws -> TransportRequest {
        try await makeRequest(for: SimpleRequest(request))
    }

    /// Makes what would be sent for a request, without sending it.
    ///
    /// Hooks are called, middleware is not.
    ///
    /// - Throws: `SimpleNetworkingError` for a request that can't be sent, or a hook's error.
    nonisolated public func makeRequest(for request: SimpleRequest) async throws -> TransportRequest {
        let settings = settings
        let plan = try RequestPlan(request, request.specification, on: self, settings)
        return try await plan.prepare(plan.attempt(with: settings).request).request
    }
}
