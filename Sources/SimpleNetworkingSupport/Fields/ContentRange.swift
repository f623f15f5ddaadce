/// The `Content-Range` of a 206 (RFC 9110 §14.4): which bytes came, and of how many.
package struct ContentRange: Equatable {
    package let first: Int
    package let last: Int
    /// The size of the whole; nil if the server does not know it.
    package let total: Int?

    /// Reads a field such as `bytes 500-999/1000` or `bytes 500-999/*`; nil for anything else.
    package init?(_ field: String?) {
        let words = field?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Self.number($0) }
        guard parts.count == 2, bounds.count == 2, let first = bounds[0], let last = bounds[1], first <= last else {
            return nil
        }
        total = Self.number(parts[1])
        guard total.map({ last < $0 }) ?? (parts[1] == "*") else { return nil }
        self.first = first
        self.last = last
    }

    private static func number(_ text: Substring) -> Int? { text.isNumber ? Int(text) : nil }

    /// The bytes that a request's `Range` selects of complete content (RFC 9110 §14.1.2).
    ///
    /// Nil for several ranges, other units, and a range without any byte.
    package static func bytes(_ range: String, of count: Int) -> Range<Int>? {
        let words = range.split(separator: "=", maxSplits: 1).map(\.trimmed)
        let bounds = words.last?.split(separator: "-", omittingEmptySubsequences: false) ?? []
        guard words.count == 2, words[0].lowercased() == "bytes", bounds.count == 2 else { return nil }
        let first = number(bounds[0])
        let last = number(bounds[1])
        if bounds[0].isEmpty, let last { return last > 0 && count > 0 ? max(0, count - last)..<count : nil }
        guard let first, first < count, bounds[1].isEmpty || first <= last ?? -1 else { return nil }
        return first..<min(last ?? count, count - 1) + 1
    }

    /// Tells whether a response with this `Content-Range` is within a request's `Range` (RFC 9110 §14.2).
    ///
    /// Other units than bytes, and several parts in one content, are left to the caller.
    package static func satisfies(_ range: String, with field: String?, isMultipart: Bool) -> Bool {
        let words = range.split(separator: "=", maxSplits: 1).map(\.trimmed)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return true }
        let wanted = words[1].split(separator: ",").map(\.trimmed)
        if wanted.count > 1, isMultipart { return true }
        guard let part = ContentRange(field) else { return false }
        return wanted.contains { part.isWithin($0) }
    }

    /// Tells whether it begins where `7-9`, `7-` or `-3` begins, and does not end after it.
    private func isWithin(_ wanted: String) -> Bool {
        let bounds = wanted.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return false }
        guard !bounds[0].isEmpty else {
            guard let count = Self.number(bounds[1]) else { return false }
            return total.map { first == max($0 - count, 0) } ?? (last - first < count)
        }
        return first == Int(bounds[0]) && last <= Int(bounds[1]) ?? .max
    }
}
