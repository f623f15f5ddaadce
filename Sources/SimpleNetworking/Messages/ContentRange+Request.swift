extension ContentRange {
    /// Tells whether a part is one that a request's `Range` asks for (RFC 9110 §14.2).
    ///
    /// Only bytes are understood: of other units, and of several parts in one content, it is for the caller to judge.
    static func answers(_ range: String, with headers: HTTPHeaders) -> Bool {
        let words = range.split(separator: "=", maxSplits: 1).map(\.trimmed)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return true }
        let asked = words[1].split(separator: ",").map(\.trimmed)
        if asked.count > 1, headers.contentType?.essence == "multipart/byteranges" {
            return true
        }
        guard let part = ContentRange(headers["Content-Range"]) else { return false }
        return asked.contains { part.isWithin($0) }
    }

    /// Tells whether it begins where `7-9`, `7-` or `-3` begins, and does not end after it.
    private func isWithin(_ asked: String) -> Bool {
        let bounds = asked.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return false }
        guard !bounds[0].isEmpty else {
            guard let count = Int(bounds[1]) else { return false }
            return total.map { first == max($0 - count, 0) } ?? (last - first < count)
        }
        return first == Int(bounds[0]) && last <= Int(bounds[1]) ?? .max
    }
}
