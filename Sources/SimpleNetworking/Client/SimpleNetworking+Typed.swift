extension SimpleNetworking {
    /// Sends a typed request and waits for its value.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - configure: Changes each attempt last of all, after `prepare(_:for:)`; what it throws ends the request, and
    ///     nothing is sent. The default changes nothing.
    ///   - fileID: Where the request is made, for the log.
    ///   - line: Where the request is made, for the log.
    /// - Returns: The value and the answer, which may be discarded.
    /// - Throws: `SimpleNetworkingError`, with the answer and its content if one came: that of the last attempt if there
    ///   were several. `.decoding` names the type and the place that could not be decoded. `CancellationError` when the
    ///   task was cancelled.
    @discardableResult
    nonisolated public func send<Value: Decodable & SendableMetatype>(
        _ request: Request<Value>,
        configure: (@Sendable (inout TransportRequest) throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> sending Response<Value> {
        try await value(of: SimpleRequest(request, fileID: fileID, line: line).configured(by: configure))
    }

    /// Sends a request and waits for the value of its answer's content.
    nonisolated func value<Value: Decodable & SendableMetatype>(
        of request: SimpleRequest
    ) async throws -> sending Response<Value> {
        let value = Locked<Value?>(nil)
        let response = try await send(request.decoding(Value.self, into: value))
        let decoded = try value.withLock { $0 } ?? response.decode(Value.self, using: decoder(for: request))
        return Response(value: decoded, response: response)
    }

    /// Sends a request whose content nobody wants, and waits for its end; see the method for typed requests.
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

    /// Sends a request of any type and waits for its content as it is; see the method for typed requests.
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
    /// - Parameters:
    ///   - request: The request.
    ///   - build: Adds handlers and whatever else; called before this returns.
    ///   - fileID: Where the request is made, for the log.
    ///   - line: Where the request is made, for the log.
    /// - Returns: The request, which is on its way.
    @discardableResult
    public func execute<Value>(
        _ request: Request<Value>,
        _ build: (SimpleRequest) -> SimpleRequest = { $0 },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SimpleRequest {
        build(SimpleRequest(request, fileID: fileID, line: line)).execute(on: self)
    }

    /// Makes what would be sent for a typed request, without sending it: hooks are called, middleware is not.
    ///
    /// - Throws: `SimpleNetworkingError` for what cannot be sent, or what a hook throws.
    nonisolated public func makeRequest<Value>(for request: Request<Value>) async throws -> TransportRequest {
        try await makeRequest(for: SimpleRequest(request))
    }

    /// Makes what would be sent for a request, without sending it: hooks are called, middleware is not.
    ///
    /// - Throws: `SimpleNetworkingError` for what cannot be sent, or what a hook throws.
    nonisolated public func makeRequest(for request: SimpleRequest) async throws -> TransportRequest {
        let plan = try plan(for: request)
        return try await plan.prepare(plan.request).0
    }
}
