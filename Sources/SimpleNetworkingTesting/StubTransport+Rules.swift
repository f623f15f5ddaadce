import SimpleNetworkingCore
import SimpleNetworkingSupport

extension StubTransport {
    /// Responds to requests for the given path.
    ///
    /// - Parameters:
    ///   - method: The method of the requests. Without this parameter, the rule matches any method.
    ///   - path: The decoded path of the requests' URLs, which may contain wildcards.
    ///   - conditions: Additional requirements for the request. The default is none.
    ///   - response: The response to matching requests.
    ///   - times: How often the rule responds, such as `2` or `.atLeast(1)`. `verify()` also checks this number. If nil
    ///     (the default), the rule must respond at least once, and a rule with `.replies` exactly once for each
    ///     response.
    ///   - fileID: The file that failures of the rule are attributed to. The default is the caller's file.
    ///   - filePath: The full path of that file. The default is the path of the caller's file.
    ///   - line: The line that a failure is attributed to. The default is the line of the call.
    ///   - column: The column that a failure is attributed to. The default is the column of the call.
    /// - Returns: The transport, so that you can add more rules to it.
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

    /// Responds to requests with any method for the given path.
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

    /// Responds to requests for the given path by calling a closure.
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

    /// Responds to requests with any method for the given path by calling a closure.
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
