extension HTTPHeaders {
    /// Tells whether content with these header fields came compressed although the request did not accept that
    /// (RFC 9110 §12.5.3).
    ///
    /// A request without `Accept-Encoding` leaves it to the engine, which accepts what it can decompress.
    func isCompressedUnasked(by request: HTTPHeaders) -> Bool {
        guard request.contains("Accept-Encoding") else { return false }
        let accepted = request.members(of: "Accept-Encoding").filter { !$0.isRefused }.map { Self.coding($0) }
        return members(of: "Content-Encoding").map { Self.coding($0) }
            .contains { Self.compressing.contains($0) && !accepted.contains($0) && !accepted.contains("*") }
    }

    /// What engines decompress.
    private static let compressing = ["gzip", "deflate", "br", "zstd"]

    private static func coding(_ member: String) -> String {
        let name = member.prefix { $0 != ";" }.trimmed.lowercased()
        return name == "x-gzip" ? "gzip" : name
    }

    private func members(of name: String) -> [String] {
        values(for: name).flatMap { $0.split(separator: ",").map(\.trimmed) }
    }
}

extension String {
    /// Whether a weight of nothing says that the coding is not wanted.
    fileprivate var isRefused: Bool {
        guard let weight = split(separator: "=", maxSplits: 1).dropFirst().first else { return false }
        return Double(weight.trimmed) == 0
    }
}
