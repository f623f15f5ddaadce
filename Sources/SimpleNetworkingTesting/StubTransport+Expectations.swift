import SimpleNetworkingCore
import SimpleNetworkingSupport

extension StubTransport {
    /// Checks that a matching request was received, and returns the request.
    ///
    /// ```swift
    /// let request = try server.expectRequest(.post, "/users", where: [.json(#"{"name": "Ada"}"#)])
    /// ```
    ///
    /// The method throws, which makes both Swift Testing and XCTest tests fail. The error's text begins with the line
    /// of the call.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - path: The decoded path of the request's URL, which may contain wildcards, as in rules.
    ///   - conditions: Additional requirements for the request. The default is none.
    ///   - times: The expected number of matching requests, such as `2`, `.atLeast(1)` or `.atMost(3)`. At least one
    ///     request must always be received. The default is 1.
    ///   - fileID: The file that a failure is attributed to. The default is the caller's file.
    ///   - filePath: The full path of that file. The default is the path of the caller's file.
    ///   - line: The line that a failure is attributed to. The default is the line of the call.
    ///   - column: The column that a failure is attributed to. The default is the column of the call.
    /// - Returns: The first matching request.
    /// - Throws: An error whose text states the number of matching requests and how the nearest request differs.
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

    /// Checks that a request with any method was received, and returns the request.
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

    /// Checks that no matching request was received; see `expectRequest(_:_:where:times:)`.
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

    /// Checks that no matching request with any method was received.
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

    /// Returns the number of requests that a rule matches, and the first of them.
    private func tally(of rule: StubRule) -> (count: Int, first: TransportRequest?) {
        if rule.conditions.isEmpty { return state.withLock { $0.record.tally(of: rule) } }
        let found = requests(for: rule)
        return (found.count, found.first)
    }

    /// Returns the requests that a rule matches; conditions run without the lock, because they may read `requests`.
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
