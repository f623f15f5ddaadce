import SimpleNetworking

extension StubTransport {
    /// Responds to requests for a path.
    ///
    /// - Parameters:
    ///   - method: The method. The default is any.
    ///   - path: The path of the URL, decoded; it may have wildcards.
    ///   - conditions: What else a request needs. The default is nothing.
    ///   - response: The response.
    ///   - times: How often the rule responds, such as `2` or `.atLeast(1)`, which `verify()` checks, too. The default is
    ///     nil: always, and at least once, or each response of `.replies` once.
    ///   - fileID: The file of the line that failures of the rule belong to. The default is the caller's.
    ///   - filePath: The path of that file. The default is the caller's.
    ///   - line: The line. The default is the caller's.
    ///   - column: The column. The default is the caller's.
    /// - Returns: The transport.
    @discardableResult
    public func on(
        _ method: HTTPMethod,
        _ path: String,
        where conditions: [StubCondition] = [],
        _ response: StubResponse,
        times: StubCount? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) -> Self {
        add(method, path, conditions, response, times, SourcePlace(fileID, filePath, line, column))
    }

    /// Responds to requests of any method for a path.
    @discardableResult
    public func on(
        _ path: String,
        where conditions: [StubCondition] = [],
        _ response: StubResponse,
        times: StubCount? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) -> Self {
        add(nil, path, conditions, response, times, SourcePlace(fileID, filePath, line, column))
    }

    /// Responds to requests for a path with a closure.
    @discardableResult
    public func on(
        _ method: HTTPMethod,
        _ path: String,
        where conditions: [StubCondition] = [],
        times: StubCount? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column,
        _ respond: @escaping @Sendable (TransportRequest) async throws -> StubResponse
    ) -> Self {
        add(method, path, conditions, times, SourcePlace(fileID, filePath, line, column)) { request, _ in
            try await respond(request)
        }
    }

    /// Responds to requests of any method for a path with a closure.
    @discardableResult
    public func on(
        _ path: String,
        where conditions: [StubCondition] = [],
        times: StubCount? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column,
        _ respond: @escaping @Sendable (TransportRequest) async throws -> StubResponse
    ) -> Self {
        add(nil, path, conditions, times, SourcePlace(fileID, filePath, line, column)) { request, _ in
            try await respond(request)
        }
    }

    private func add(
        _ method: HTTPMethod?,
        _ path: String,
        _ conditions: [StubCondition],
        _ response: StubResponse,
        _ times: StubCount?,
        _ source: SourcePlace
    ) -> Self {
        let sequence = response.sequence
        guard !sequence.isEmpty else { return add(method, path, conditions, times, source) { _, _ in response } }
        let count = sequence.count
        return add(method, path, conditions, times ?? .exactly(count), source) { _, use in sequence[use % count] }
    }

    private func add(
        _ method: HTTPMethod?,
        _ path: String,
        _ conditions: [StubCondition],
        _ times: StubCount?,
        _ source: SourcePlace,
        _ respond: @escaping StubRule.Respond
    ) -> Self {
        let place = TargetPattern(path, host: host)
        let rule = StubRule(method, place, conditions, times: times, source: source, respond: respond)
        state.withLock { state in
            state.rules.append(rule)
            state.isVerified = false
        }
        return self
    }
}
