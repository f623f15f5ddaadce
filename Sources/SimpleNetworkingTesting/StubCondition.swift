import Foundation
import SimpleNetworkingCore

/// A requirement of a rule or an expected request in addition to method and path, such as `.query("page", "2")`.
public struct StubCondition: Sendable {
    /// The aspect that it checks, such as `query page`.
    let aspect: String
    /// The required value, as text with secrets hidden.
    let expected: String
    /// Returns a request's actual value, as text with secrets hidden.
    let actual: @Sendable (TransportRequest) -> String
    let isMet: @Sendable (TransportRequest) -> Bool

    /// Returns a line for each part that differs, if the whole would be long; nil for the whole.
    var details: @Sendable (TransportRequest) -> [JSONDifference]? = { _ in nil }
    /// The number of parts that may differ.
    var partCount = 1

    /// Returns the fraction of the condition that a request does not meet, from 0 to 1.
    func difference(from request: TransportRequest) -> Double {
        if isMet(request) { return 0 }
        guard let differences = details(request) else { return 1 }
        return Double(differences.count) / Double(max(partCount, differences.count))
    }

    func comparison(with request: TransportRequest) -> [Comparison] {
        if let differences = details(request), !differences.isEmpty {
            return differences.map {
                Comparison(aspect: "\(aspect) \($0.place)", expected: $0.left, actual: $0.right, isEqual: false)
            }
        }
        return [Comparison(aspect: aspect, expected: expected, actual: actual(request), isEqual: isMet(request))]
    }

    /// Requires a query item with this name and decoded value.
    ///
    /// If the value is nil, no item may have this name. If several items have this name, one of them must have the
    /// value.
    public static func query(_ name: String, _ value: String?) -> StubCondition {
        StubCondition(
            aspect: "query",
            expected: shown(name, value.map { [$0] } ?? []),
            actual: { shown(name, $0.query.values(of: name)) },
            isMet: { request in
                let values = request.query.values(of: name)
                return value.map(values.contains) ?? values.isEmpty
            }
        )
    }

    /// Requires a query item with this name and any value.
    public static func query(_ name: String) -> StubCondition {
        StubCondition(
            aspect: "query",
            expected: "any \(name)",
            actual: { shown(name, $0.query.values(of: name)) },
            isMet: { !$0.query.values(of: name).isEmpty }
        )
    }

    /// Requires a query item whose decoded value contains a match for the given regular expression.
    ///
    /// For example, `.query("page", matching: "^[0-9]+$")` requires a number.
    public static func query(_ name: String, matching pattern: String) -> StubCondition {
        StubCondition(
            aspect: "query matching",
            expected: shown(name, [pattern]),
            actual: { shown(name, $0.query.values(of: name)) },
            isMet: { $0.query.values(of: name).contains { $0.hasMatch(of: pattern) } }
        )
    }

    /// Requires a header field with this name and value.
    ///
    /// If the value is nil, no field may have this name.
    public static func header(_ name: String, _ value: String?) -> StubCondition {
        StubCondition(
            aspect: "header",
            expected: value.map { "\(HTTPHeaders.Field(name, $0))" } ?? "no \(name)",
            actual: { request in
                guard let actual = request.headers[name] else { return "no \(name)" }
                let text = "\(HTTPHeaders.Field(name, actual))"
                let isAnotherSecret = text == "\(HTTPHeaders.Field(name, value ?? actual))" && actual != value
                return text + (isAnotherSecret ? " (another value)" : "")
            },
            isMet: { $0.headers[name] == value }
        )
    }

    /// Requires a header field with this name and any value.
    public static func header(_ name: String) -> StubCondition {
        StubCondition(
            aspect: "header",
            expected: "any \(name)",
            actual: { request in request.headers[name].map { "\(HTTPHeaders.Field(name, $0))" } ?? "no \(name)" },
            isMet: { $0.headers.contains(name) }
        )
    }

    /// Requires a header field whose value contains a match for the given regular expression.
    ///
    /// For example, `.header("Accept", matching: "^text/")` requires a value that begins with `text/`.
    public static func header(_ name: String, matching pattern: String) -> StubCondition {
        let expected = "\(HTTPHeaders.Field(name, pattern))"
        return StubCondition(
            aspect: "header matching",
            expected: expected,
            actual: { request in
                guard let actual = request.headers[name] else { return "no \(name)" }
                let text = "\(HTTPHeaders.Field(name, actual))"
                return text == expected && !actual.hasMatch(of: pattern) ? "\(text) (another value)" : text
            },
            isMet: { $0.headers[name]?.hasMatch(of: pattern) ?? false }
        )
    }

    /// Requires the given closure to accept the request.
    ///
    /// The name describes the condition in failure messages.
    public static func matching(
        _ name: String,
        _ accepts: @escaping @Sendable (TransportRequest) -> Bool
    ) -> StubCondition {
        StubCondition(aspect: "matching", expected: name, actual: { accepts($0) ? name : "not so" }, isMet: accepts)
    }

    static func shown(_ name: String, _ values: [String]) -> String {
        values.isEmpty ? "no \(name)" : shown(values.map { (name, $0) })
    }

    /// Returns pairs as text, sorted by name, with the values of secret names hidden.
    static func shown(_ pairs: [(name: String, value: String)]) -> String {
        pairs.sorted { $0.name < $1.name }.map { name, value in
            let text = Query([(name, value)]).description
            // The query's text is encoded; only a hidden value is taken from it.
            return text.hasSuffix("‹secret›") ? text : "\(name)=\(value)"
        }.joined(separator: "&")
    }
}

extension Query {
    fileprivate func values(of name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }
}
