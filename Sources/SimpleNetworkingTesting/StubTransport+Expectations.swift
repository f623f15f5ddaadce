import SimpleNetworking

extension StubTransport {
    /// Checks that a request came, and returns it.
    ///
    /// ```swift
    /// let request = try server.expectRequest(.post, "/users", where: [.json(#"{"name": "Ada"}"#)])
    /// ```
    ///
    /// It throws, and so fails a test of Swift Testing and of XCTest alike. The text begins with the line of the call.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path of the URL, decoded; it may have wildcards as in rules.
    ///   - conditions: What else the request needs. The default is nothing.
    ///   - times: How many such requests are expected, such as `2`, `.atLeast(1)` or `.atMost(3)`; one has to come in any
    ///     case. The default is 1.
    ///   - fileID: The file of the line that a failure belongs to. The default is the caller's.
    ///   - filePath: The path of that file. The default is the caller's.
    ///   - line: The line. The default is the caller's.
    ///   - column: The column. The default is the caller's.
    /// - Returns: The first such request.
    /// - Throws: An error whose text says how many came, and how the nearest request differs.
    @discardableResult
    public func expectRequest(
        _ method: HTTPMethod,
        _ path: String,
        where conditions: [StubCondition] = [],
        times: StubCount = 1,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) throws -> TransportRequest {
        let rule = StubRule(method, pattern(path), conditions)
        return try expectRequest(rule, times, SourcePlace(fileID, filePath, line, column))
    }

    /// Checks that a request of any method came, and returns it.
    @discardableResult
    public func expectRequest(
        _ path: String,
        where conditions: [StubCondition] = [],
        times: StubCount = 1,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) throws -> TransportRequest {
        let rule = StubRule(nil, pattern(path), conditions)
        return try expectRequest(rule, times, SourcePlace(fileID, filePath, line, column))
    }

    /// Checks that no such request came; see `expectRequest(_:_:where:times:)`.
    public func expectNoRequest(
        _ method: HTTPMethod,
        _ path: String = "*",
        where conditions: [StubCondition] = [],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) throws {
        let place = SourcePlace(fileID, filePath, line, column)
        try expectNone(StubRule(method, pattern(path), conditions), place)
    }

    /// Checks that no such request of any method came.
    public func expectNoRequest(
        _ path: String = "*",
        where conditions: [StubCondition] = [],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) throws {
        let place = SourcePlace(fileID, filePath, line, column)
        try expectNone(StubRule(nil, pattern(path), conditions), place)
    }

    private func expectRequest(
        _ rule: StubRule,
        _ times: StubCount,
        _ place: SourcePlace
    ) throws -> TransportRequest {
        let (count, first) = tally(of: rule)
        if times.allows(count), let first { return first }
        let requests = requests
        let wanted = times.text == "1" ? "a request" : "\(times.text) requests"
        var lines = ["expected \(wanted) \(rule.name), but \(count) came"]
        if count == 0 { lines += rule.nearest(of: requests, left: "expected") }
        if !requests.isEmpty { lines += ["  all requests:"] + requests.map { "    \($0.head)" } }
        throw StubScope.noted(UnmetScript(place: place, lines: lines))
    }

    /// How many requests a rule matches, and the first of them.
    private func tally(of rule: StubRule) -> (count: Int, first: TransportRequest?) {
        if rule.conditions.isEmpty { return state.withLock { $0.record.tally(of: rule) } }
        let found = requests(for: rule)
        return (found.count, found.first)
    }

    /// The requests that a rule matches; its conditions run without the lock, since they may look at `requests`.
    private func requests(for rule: StubRule) -> [TransportRequest] {
        state.withLock { $0.record.requests(for: rule) }.filter { request in
            rule.conditions.allSatisfy { $0.isMet(request) }
        }
    }

    private func expectNone(_ rule: StubRule, _ place: SourcePlace) throws {
        let found = requests(for: rule)
        guard !found.isEmpty else { return }
        let lines = ["expected no request \(rule.name), but \(found.count) came:"] + found.map { "    \($0.head)" }
        throw StubScope.noted(UnmetScript(place: place, lines: lines))
    }
}
