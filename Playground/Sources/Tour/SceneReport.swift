import Foundation

/// The result of a scene.
public struct SceneReport: Sendable {
    /// The scene's heading.
    public let title: String
    /// The printed lines, without quotations.
    public let said: [String]
    /// The expected lines; `…` stands for any text.
    public let expected: [String]
    /// Why it did not end; nil if it did.
    public let failure: String?

    /// Whether the scene ended and printed the expected lines.
    public var isAsExpected: Bool {
        failure == nil && said.count == expected.count && zip(said, expected).allSatisfy(Self.matches)
    }

    /// The failure, and the printed beside the expected lines, a line for each difference.
    public var problems: [String] {
        let differences = (0..<max(said.count, expected.count)).compactMap { index -> String? in
            let said = said.indices.contains(index) ? said[index] : "(nothing)"
            let expected = expected.indices.contains(index) ? expected[index] : "(nothing)"
            return Self.matches(said, expected) ? nil : "said:     \(said)\nexpected: \(expected)"
        }
        return (failure.map { [$0] } ?? []) + differences
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        let parts = pattern.components(separatedBy: "…")
        guard let first = parts.first, let last = parts.last, parts.count > 1 else { return text == pattern }
        guard text.hasPrefix(first), text.hasSuffix(last) else { return false }
        var rest = text.dropFirst(first.count)
        for part in parts.dropFirst() where !part.isEmpty {
            guard let found = rest.range(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
