import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Reports a request that no rule of a `StubTransport` matches.
package struct UnscriptedRequest: Error, CustomStringConvertible {
    /// The request, the rules, and how the nearest rule differs.
    package let description: String

    init(_ request: TransportRequest, rules: [StubRule]) {
        let scripted = rules.isEmpty ? "nothing" : rules.map(\.text).joined(separator: "; ")
        let lines = ["no rule matches \(request.head); scripted: \(scripted)"] + rules.nearest(to: request)
        description = lines.joined(separator: "\n")
    }
}

extension [StubRule] {
    /// Returns lines that describe how the nearest rule differs from a request; empty without rules.
    fileprivate func nearest(to request: TransportRequest) -> [String] {
        guard let rule = self.min(by: { $0.distance(to: request) < $1.distance(to: request) }) else { return [] }
        let rows = rule.comparison(with: request)
        return ["  nearest rule: \(rule.text)"] + Comparison.table(rows, left: "rule", right: "request")
    }
}

extension StubRule {
    /// Returns lines that report that the rule was not used often enough.
    fileprivate func unusedLines(of requests: [TransportRequest]) -> [String] {
        guard uses == 0 else {
            let least = times.map { $0.least == $0.most ? "\($0.least)" : $0.text } ?? "1"
            return ["the rule \(name) was used \(uses) of \(least) times"]
        }
        return ["the rule \(name) was never used"] + nearest(of: requests, left: "rule")
    }

    /// Returns lines that describe how the nearest request differs.
    func nearest(of requests: [TransportRequest], left: String) -> [String] {
        guard let request = requests.min(by: { distance(to: $0) < distance(to: $1) }) else {
            return ["  there was no request at all"]
        }
        return ["  nearest request: \(request.head)"]
            + Comparison.table(comparison(with: request), left: left, right: "request")
    }
}

extension StubTransport {
    /// Checks that every rule was used as often as its `times` requires, and that every request matched a rule.
    ///
    /// A rule for any path, method and body, such as `on("*", …)`, may stay unused. Call this method after the requests
    /// have ended.
    ///
    /// - Parameters:
    ///   - fileID: The file that a failure is attributed to. The default is the caller's file.
    ///   - filePath: The full path of that file. The default is the path of the caller's file.
    ///   - line: The line that a failure is attributed to. The default is the line of the call.
    ///   - column: The column that a failure is attributed to. The default is the column of the call.
    /// - Throws: An error whose text lists each unmet rule and each unmatched request, with its nearest counterpart and
    ///   the differences.
    public func verify(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) throws {
        let lines = unmet(withUnused: true).flatMap(\.lines)
        state.withLock { $0.isVerified = true }
        guard !lines.isEmpty else { return }
        throw StubScope.noted(UnmetScript(place: SourcePlace(fileID, filePath, line, column), lines: lines))
    }

    /// Returns the failures that `verify()` reports, each at the line of its rule or its stub.
    func unmet(withUnused: Bool) -> [UnmetScript] {
        let state = state.withLock(\.self)
        let unused = state.rules.filter { withUnused && !$0.isSatisfied }.map { rule in
            UnmetScript(place: rule.source ?? source, lines: rule.unusedLines(of: state.record.requests))
        }
        let unmatched = state.unmatched.map { request in
            let lines = ["no rule matched \(request.head)"] + state.rules.nearest(to: request)
            return UnmetScript(place: source ?? state.rules.first?.source, lines: lines)
        }
        return unused + unmatched
    }
}

/// Reports unused rules and unmatched requests.
package struct UnmetScript: PlacedFailure {
    package let place: SourcePlace?
    let lines: [String]

    /// Each rule or request, with the differences.
    package var text: String { lines.joined(separator: "\n") }
}
