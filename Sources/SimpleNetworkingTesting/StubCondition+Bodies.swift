import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

extension StubCondition {
    /// Requires a JSON body that is equivalent to this text.
    ///
    /// Whitespace and the order of an object's members don't matter.
    public static func json(_ text: String) -> StubCondition {
        let expected = Data(text.utf8)
        return json("JSON", expected) { JSONDifference.all(between: expected, and: $0.content) }
    }

    /// Requires a JSON body that contains everything in this text.
    ///
    /// Objects in the body may have more members. Arrays must have as many elements as in the text. Numbers and
    /// strings must be equal.
    public static func json(containing text: String) -> StubCondition {
        let expected = Data(text.utf8)
        return json("JSON containing", expected) { JSONDifference.missing(from: $0.content, of: expected) }
    }

    private static func json(
        _ aspect: String,
        _ expected: Data,
        _ differences: @escaping @Sendable (TransportRequest) -> [JSONDifference]?
    ) -> StubCondition {
        let value = JSONValue(expected)
        return StubCondition(
            aspect: aspect,
            expected: value.map(JSONDifference.text) ?? "(the rule's text is not JSON)",
            actual: { JSONValue($0.content).map(JSONDifference.text) ?? "(not JSON)" },
            isMet: { differences($0)?.isEmpty == true },
            details: differences,
            partCount: value.map(JSONDifference.partCount) ?? 1
        )
    }

    /// Requires a form (`application/x-www-form-urlencoded`) with exactly these fields, in any order.
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

    /// Requires a body with exactly this text.
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

    /// Requires a text body that contains a match for the given regular expression, such as `.text(matching: "^GET ")`.
    public static func text(matching pattern: String) -> StubCondition {
        let hiding = SecretHiding()
        return StubCondition(
            aspect: "text matching",
            expected: hiding.text(ofContent: pattern, type: nil),
            actual: { $0.text.map { hiding.text(ofContent: $0, type: nil) } ?? "(not text)" },
            isMet: { $0.text?.hasMatch(of: pattern) ?? false }
        )
    }
}

extension String {
    /// Returns whether the string contains a match for a regular expression; an invalid one matches nothing.
    func hasMatch(of pattern: String) -> Bool { range(of: pattern, options: .regularExpression) != nil }
}
