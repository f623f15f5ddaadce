/// Holds the `Content-Range` of a 206 (RFC 9110 §14.4): which bytes came, and of how many.
struct ContentRange: Equatable {
    let first: Int
    let last: Int
    /// nil if the server does not know.
    let total: Int?

    /// Reads a field such as `bytes 500-999/1000` or `bytes 500-999/*`; nil for all else.
    init?(_ field: String?) {
        let words = field?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Self.number($0) }
        guard parts.count == 2, bounds.count == 2, let first = bounds[0], let last = bounds[1], first <= last else {
            return nil
        }
        let total = Self.number(parts[1])
        guard total.map({ last < $0 }) ?? (parts[1] == "*") else { return nil }
        (self.first, self.last, self.total) = (first, last, total)
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
