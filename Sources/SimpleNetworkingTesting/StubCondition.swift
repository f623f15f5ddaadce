import Foundation
import SimpleNetworking

/// Describes what a stubbed rule, or an expected request, needs besides method and path: `.query("page", "2")`.
public struct StubCondition: Sendable {
    /// What it looks at, such as `query page`.
    let aspect: String
    /// What it needs, as text with secrets hidden.
    let expected: String
    /// What a request has, as text with secrets hidden.
    let actual: @Sendable (TransportRequest) -> String
    let isMet: @Sendable (TransportRequest) -> Bool

    /// A line for each part that differs, where the whole would be long; nil for the whole.
    var details: @Sendable (TransportRequest) -> [JSONDifference]? = { _ in nil }

    func comparison(with request: TransportRequest) -> [Comparison] {
        if let differences = details(request), !differences.isEmpty {
            return differences.map {
                Comparison(aspect: "\(aspect) \($0.place)", expected: $0.left, actual: $0.right, isEqual: false)
            }
        }
        return [Comparison(aspect: aspect, expected: expected, actual: actual(request), isEqual: isMet(request))]
    }

    /// Needs a query item with this value, decoded, among any of its name; nil needs that there is none of this name.
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

    /// Needs a header field with this value; nil needs that there is none of this name.
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

    /// Needs a body of JSON that means the same as this text: order and spaces don't count.
    public static func json(_ text: String) -> StubCondition {
        let expected = Data(text.utf8)
        let shown = JSONDifference.value(of: expected).map(JSONDifference.text)
        return StubCondition(
            aspect: "JSON",
            expected: shown ?? "(the rule's text is not JSON)",
            actual: { JSONDifference.value(of: $0.content).map(JSONDifference.text) ?? "(not JSON)" },
            isMet: { JSONDifference.all(between: expected, and: $0.content)?.isEmpty == true },
            details: { JSONDifference.all(between: expected, and: $0.content) }
        )
    }

    /// Needs a form (`application/x-www-form-urlencoded`) with exactly these fields, in any order.
    public static func form(_ fields: [String: String]) -> StubCondition {
        let expected = shown(fields.map { ($0.key, $0.value) })
        return StubCondition(
            aspect: "form",
            expected: expected,
            actual: { request in request.form.map { shown($0.pairs) } ?? "(not a form)" },
            isMet: { request in
                let pairs = request.form?.pairs.map { [$0.name, $0.value] }
                let wanted = fields.map { [$0.key, $0.value] }
                return pairs?.sorted { $0[0] < $1[0] } == wanted.sorted { $0[0] < $1[0] }
            }
        )
    }

    /// Needs a body of exactly this text.
    public static func text(_ text: String) -> StubCondition {
        let expected = SecretHiding().text(ofContent: text, type: nil)
        return StubCondition(
            aspect: "text",
            expected: expected,
            actual: { request in
                guard let actual = request.text else { return "(not text)" }
                let shown = SecretHiding().text(ofContent: actual, type: nil)
                return shown == expected && actual != text ? shown + " (another secret)" : shown
            },
            isMet: { $0.text == text }
        )
    }

    /// Needs what a closure accepts; `name` says in words what that is, for failures.
    public static func matching(
        _ name: String,
        _ accepts: @escaping @Sendable (TransportRequest) -> Bool
    ) -> StubCondition {
        StubCondition(aspect: "matching", expected: name, actual: { accepts($0) ? name : "not so" }, isMet: accepts)
    }

    private static func shown(_ name: String, _ values: [String]) -> String {
        values.isEmpty ? "no \(name)" : shown(values.map { (name, $0) })
    }

    /// Pairs as text, sorted by name, with the values of secret names hidden.
    private static func shown(_ pairs: [(name: String, value: String)]) -> String {
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
