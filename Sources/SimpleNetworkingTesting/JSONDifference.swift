import Foundation
import SimpleNetworking

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
        guard let recorded = value(of: recorded), let other = value(of: other) else { return nil }
        return differences(recorded, other, at: [], isSecret: false, allowsMore: false)
    }

    /// Returns all places where JSON is missing part of another JSON text; nil if one is not JSON.
    static func missing(from text: Data, of part: Data) -> [JSONDifference]? {
        guard let part = value(of: part), let whole = value(of: text) else { return nil }
        return differences(part, whole, at: [], isSecret: false, allowsMore: true)
    }

    /// Returns the number of places in a value that can differ: its numbers, strings and so on.
    static func partCount(_ value: Any) -> Int {
        switch value {
        case let object as [String: Any]: max(1, object.values.reduce(0) { $0 + partCount($1) })
        case let array as [Any]: max(1, array.reduce(0) { $0 + partCount($1) })
        default: 1
        }
    }

    /// Returns the value of JSON text; nil if it isn't JSON.
    static func value(of data: Data) -> Any? {
        data.isEmpty ? nil : try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    }

    /// Returns a value in one line, with sorted keys and secrets hidden.
    static func text(of value: Any) -> String { text(of: value, isSecret: false) }

    private static func differences(
        _ left: Any?,
        _ right: Any?,
        at path: [String],
        isSecret: Bool,
        allowsMore: Bool
    ) -> [JSONDifference] {
        switch (left, right) {
        case (let left as [String: Any], let right as [String: Any]):
            let all = Set(left.keys).union(right.keys)
            let keys = allowsMore ? Set(left.keys) : all
            return keys.sorted().flatMap { key in
                let isSecret = isSecret || SecretHiding.isSecret(key, beside: all)
                return differences(left[key], right[key], at: path + [key], isSecret: isSecret, allowsMore: allowsMore)
            }
        case (let left as [Any], let right as [Any]):
            return (0..<max(left.count, right.count)).flatMap { index in
                let pair = (index < left.count ? left[index] : nil, index < right.count ? right[index] : nil)
                let place = path + ["\(index)"]
                return differences(pair.0, pair.1, at: place, isSecret: isSecret, allowsMore: allowsMore)
            }
        case (let left as String, let right?) where SecretHiding.hides(right as? String ?? "\(right)", as: left):
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

    private static func text(of value: Any?, isSecret: Bool, hides: Bool = true) -> String {
        guard let value else { return "–" }
        if isSecret, hides, !(value is NSNull) { return SecretHiding.mark }
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
        let shown = hides ? SecretHiding.hidden(json: value) : value
        let data = try? JSONSerialization.data(withJSONObject: shown, options: options)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "(not JSON)"
    }
}
