/// Reads the codings of content (RFC 9110 §8.4.1).
package enum ContentCoding {
    /// Returns whether content is compressed although the request did not accept that (RFC 9110 §12.5.3).
    ///
    /// Both arguments are the members of a field.
    package static func isUnrequested(_ content: [String], accepted: [String]) -> Bool {
        let accepted = names(in: accepted)
        return names(in: content).contains {
            compressing.contains($0) && !accepted.contains($0) && !accepted.contains("*")
        }
    }

    /// The codings that engines decompress.
    private static let compressing = ["gzip", "deflate", "br", "zstd"]

    /// Returns the names in lowercase, without those whose weight is 0.
    private static func names(in members: [String]) -> [String] {
        members.compactMap { member in
            let weight = member.parts(at: "=").after
            guard weight.flatMap({ Double($0.trimmed) }) != 0 else { return nil }
            let name = member.parts(at: ";").before.trimmed.lowercased()
            return name == "x-gzip" ? "gzip" : name
        }
    }
}
