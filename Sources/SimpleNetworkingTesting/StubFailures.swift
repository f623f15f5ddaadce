import Foundation
import SimpleNetworking

/// Reports a request that no rule of a `StubTransport` matches.
package struct UnscriptedRequest: Error, CustomStringConvertible {
    /// The request, the rules, and how the nearest one differs.
    package let description: String

    init(_ request: TransportRequest, rules: [StubRule]) {
        let scripted = rules.isEmpty ? "nothing" : rules.map(\.text).joined(separator: "; ")
        let lines = ["no rule matches \(request.head); scripted: \(scripted)"] + rules.nearest(to: request)
        description = lines.joined(separator: "\n")
    }
}

extension [StubRule] {
    /// How the nearest rule differs from a request, in lines; empty without rules.
    fileprivate func nearest(to request: TransportRequest) -> [String] {
        guard let rule = self.min(by: { $0.distance(to: request) < $1.distance(to: request) }) else { return [] }
        let rows = rule.comparison(with: request)
        return ["  nearest rule: \(rule.text)"] + Comparison.table(rows, left: "rule", right: "request")
    }
}

extension StubRule {
    /// How the nearest request differs, in lines.
    fileprivate func nearest(of requests: [TransportRequest], left: String) -> [String] {
        guard let request = requests.min(by: { distance(to: $0) < distance(to: $1) }) else {
            return ["  there was no request at all"]
        }
        return ["  nearest request: \(request.head)"]
            + Comparison.table(comparison(with: request), left: left, right: "request")
    }
}

extension StubTransport {
    /// Checks that every rule was used, as often as its `times` says, and that every request matched a rule.
    ///
    /// A rule for any path, method and body, `on("*", …)`, may stay unused. Call it when the requests have ended.
    ///
    /// - Throws: An error whose text names each such rule and request, the nearest of the other side, and what differs.
    public func verify() throws {
        let (rules, requests, unmatched) = state.withLock { ($0.rules, $0.requests, $0.unmatched) }
        let lines =
            rules.filter { !$0.isSatisfied }.flatMap { rule in
                guard rule.uses == 0 else {
                    return ["the rule \(rule.name) was used \(rule.uses) of \(rule.times ?? 1) times"]
                }
                var unused = rule
                unused.uses = 0
                return ["the rule \(rule.name) was never used"] + unused.nearest(of: requests, left: "rule")
            } + unmatched.flatMap { request in ["no rule matched \(request.head)"] + rules.nearest(to: request) }
        guard lines.isEmpty else { throw UnmetScript(lines: lines) }
    }

    /// Checks that a request came, and returns it.
    ///
    /// ```swift
    /// let request = try server.expectRequest(.post, "/users", where: [.json(#"{"name": "Ada"}"#)])
    /// ```
    ///
    /// It throws, and so fails a test of Swift Testing and of XCTest alike.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path of the URL, decoded; it may have wildcards as in rules.
    ///   - conditions: What else the request needs. The default is nothing.
    ///   - times: How many such requests are expected, at least 1. The default is 1.
    /// - Returns: The first such request.
    /// - Throws: An error whose text says how many came, and how the nearest request differs.
    @discardableResult
    public func expectRequest(
        _ method: HTTPMethod,
        _ path: String,
        where conditions: [StubCondition] = [],
        times: Int = 1
    ) throws -> TransportRequest {
        try expectRequest(method, path, conditions, times)
    }

    /// Checks that a request of any method came, and returns it.
    @discardableResult
    public func expectRequest(
        _ path: String,
        where conditions: [StubCondition] = [],
        times: Int = 1
    ) throws -> TransportRequest {
        try expectRequest(nil, path, conditions, times)
    }

    /// Checks that no such request came; see `expectRequest(_:_:where:times:)`.
    public func expectNoRequest(
        _ method: HTTPMethod,
        _ path: String = "*",
        where conditions: [StubCondition] = []
    ) throws {
        try expectNone(StubRule(method, path, conditions))
    }

    /// Checks that no such request of any method came.
    public func expectNoRequest(_ path: String = "*", where conditions: [StubCondition] = []) throws {
        try expectNone(StubRule(nil, path, conditions))
    }

    private func expectRequest(
        _ method: HTTPMethod?,
        _ path: String,
        _ conditions: [StubCondition],
        _ times: Int
    ) throws -> TransportRequest {
        let rule = StubRule(method, path, conditions)
        let requests = requests
        let found = requests.filter(rule.matches)
        if found.count == times, let first = found.first { return first }
        var lines = ["expected \(times == 1 ? "a request" : "\(times) requests") \(rule.name), but \(found.count) came"]
        if found.isEmpty { lines += rule.nearest(of: requests, left: "expected") }
        if !requests.isEmpty { lines += ["  all requests:"] + requests.map { "    \($0.head)" } }
        throw UnmetScript(lines: lines)
    }

    private func expectNone(_ rule: StubRule) throws {
        let found = requests.filter(rule.matches)
        guard !found.isEmpty else { return }
        let lines = ["expected no request \(rule.name), but \(found.count) came:"] + found.map { "    \($0.head)" }
        throw UnmetScript(lines: lines)
    }
}

/// Reports rules and requests that did not meet.
package struct UnmetScript: Error, CustomStringConvertible {
    let lines: [String]

    /// Each rule and request, with what differs.
    package var description: String { lines.joined(separator: "\n") }
}
