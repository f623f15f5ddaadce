import SimpleNetworkingSupport

/// The `Content-Range` of a 206 (RFC 9110 §14.4): the range of bytes, and their total number.
package struct ContentRange: Equatable {
    package let first: Int
    package let last: Int
    /// The size of the complete content; nil if the server does not know it.
    package let total: Int?

    /// Reads a field such as `bytes 500-999/1000` or `bytes 500-999/*`; nil for anything else.
    package init?(_ field: String?) {
        let words = field?.pieces(between: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let (range, whole) = words[1].parts(at: "/")
        let (start, end) = range.parts(at: "-")
        guard let whole, let first = Self.number(start), let last = end.flatMap(Self.number), first <= last else {
            return nil
        }
        total = Self.number(whole)
        guard total.map({ last < $0 }) ?? (whole == "*") else { return nil }
        self.first = first
        self.last = last
    }

    /// Reads the length of the content from the field of a 416, such as `bytes */1000`; nil for anything else.
    package static func length(unsatisfied field: String?) -> Int? {
        let words = field?.pieces(between: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bytes", words[1].hasPrefix("*/") else { return nil }
        return number(words[1].dropFirst(2))
    }

    private static func number(_ text: Substring) -> Int? { String(text).isNumber ? Int(String(text)) : nil }

    /// Returns the bytes that a request's `Range` selects from complete content (RFC 9110 §14.1.2).
    ///
    /// Returns nil for several ranges, other units, and an empty range.
    package static func bytes(_ range: String, of count: Int) -> Range<Int>? {
        let wanted = wantedBytes(of: range) ?? ""
        guard case (let start, let end?) = wanted.parts(at: "-") else { return nil }
        let first = number(start)
        let last = number(end)
        if start.isEmpty, let last { return last > 0 && count > 0 ? max(0, count - last)..<count : nil }
        guard let first, first < count, end.isEmpty || first <= last ?? -1 else { return nil }
        return first..<min(last ?? count, count - 1) + 1
    }

    /// Returns the ranges that a `Range` requests in the unit bytes; nil for other units.
    private static func wantedBytes(of range: String) -> String? {
        let (unit, wanted) = range.parts(at: "=")
        guard unit.trimmed.lowercased() == "bytes", let wanted = wanted?.trimmed, !wanted.isEmpty else { return nil }
        return wanted
    }

    /// Returns whether a response with this `Content-Range` is within a request's `Range` (RFC 9110 §14.2).
    ///
    /// Units other than bytes, and multipart content, are left to the caller.
    package static func satisfies(_ range: String, with field: String?, isMultipart: Bool) -> Bool {
        guard let wanted = wantedBytes(of: range)?.pieces(between: ",").map(\.trimmed) else { return true }
        if wanted.count > 1, isMultipart { return true }
        guard let part = ContentRange(field) else { return false }
        return wanted.contains { part.isWithin($0) }
    }

    /// Returns whether the range begins where `7-9`, `7-` or `-3` begins, and does not end after it.
    private func isWithin(_ wanted: String) -> Bool {
        guard case (let start, let end?) = wanted.parts(at: "-") else { return false }
        guard !start.isEmpty else {
            guard let count = Self.number(end) else { return false }
            return total.map { first == max($0 - count, 0) } ?? (last - first < count)
        }
        return first == Int(start) && last <= Int(end) ?? .max
    }
}
