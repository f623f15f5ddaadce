import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// One place where two JSON values differ, as text with secrets hidden.
struct JSONDifference: Sendable {
    /// The coding path of the place, such as `items.0.name`; `content` for the whole content.
    let place: String
    let left: String
    let right: String

    /// Returns all places where two JSON texts differ, in the order of their keys; nil if one is not JSON.
    ///
    /// Where the recorded text hides a secret, any value matches.
    static func all(between recorded: Data, and other: Data) -> [JSONDifference]? {
        guard let recorded = JSONValue(recorded), let other = JSONValue(other) else { return nil }
        return differences(recorded, other, at: [], isSecret: false, allowsMore: false)
    }

    /// Returns all places where JSON is missing part of another JSON text; nil if one is not JSON.
    static func missing(from text: Data, of part: Data) -> [JSONDifference]? {
        guard let part = JSONValue(part), let whole = JSONValue(text) else { return nil }
        return differences(part, whole, at: [], isSecret: false, allowsMore: true)
    }

    /// Returns the number of places in a value that can differ: its numbers, strings and so on.
    static func partCount(_ value: JSONValue) -> Int {
        switch value {
        case .object(let members): max(1, members.values.reduce(0) { $0 + partCount($1) })
        case .list(let values): max(1, values.reduce(0) { $0 + partCount($1) })
        case .null, .flag, .number, .text: 1
        }
    }

    /// Returns a value in one line, with sorted keys and secrets hidden.
    static func text(of value: JSONValue) -> String { text(of: value, isSecret: false) }

    private static func differences(
        _ left: JSONValue?,
        _ right: JSONValue?,
        at path: [String],
        isSecret: Bool,
        allowsMore: Bool
    ) -> [JSONDifference] {
        switch (left, right) {
        case (.object(let left)?, .object(let right)?):
            let all = Set(left.keys).union(right.keys)
            let keys = allowsMore ? Set(left.keys) : all
            return keys.sorted().flatMap { key in
                let isSecret = isSecret || SecretHiding.isSecret(key, beside: all)
                return differences(left[key], right[key], at: path + [key], isSecret: isSecret, allowsMore: allowsMore)
            }
        case (.list(let left)?, .list(let right)?):
            return (0..<max(left.count, right.count)).flatMap { index in
                let pair = (index < left.count ? left[index] : nil, index < right.count ? right[index] : nil)
                let place = path + ["\(index)"]
                return differences(pair.0, pair.1, at: place, isSecret: isSecret, allowsMore: allowsMore)
            }
        case (.text(let left)?, let right?) where SecretHiding.hides(right.text ?? right.canonicalText, as: left):
            return []
        default:
            if text(of: left, isSecret: false, hides: false) == text(of: right, isSecret: false, hides: false) {
                return []
            }
            let texts = (text(of: left, isSecret: isSecret), text(of: right, isSecret: isSecret))
            return [
                JSONDifference(
                    place: path.isEmpty ? "content" : path.joined(separator: "."),
                    left: texts.0,
                    right: texts.0 == texts.1 ? texts.1 + " (another value)" : texts.1
                )
            ]
        }
    }

    private static func text(of value: JSONValue?, isSecret: Bool, hides: Bool = true) -> String {
        guard let value else { return "–" }
        if isSecret, hides, value != .null { return SecretHiding.mark }
        return (hides ? Redaction.hidden(value) : value).canonicalText
    }
}
