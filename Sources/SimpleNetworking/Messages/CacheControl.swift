/// The directives of a `Cache-Control` field, of a request or of an answer (RFC 9111 §5.2).
struct CacheControl: Sendable {
    /// Directives by their names in small letters; of one that comes twice the first counts (RFC 9111 §4.2.1).
    private var directives: [String: String] = [:]

    init(_ headers: HTTPHeaders) { self.init(headers.values(for: "Cache-Control")) }

    /// Reads HTTP/1.0's `Pragma`, which has the same form (RFC 9111 §5.4).
    init(pragma headers: HTTPHeaders) { self.init(headers.values(for: "Pragma")) }

    private init(_ values: [String]) {
        for value in values {
            // A quote that is never closed must not hide a `no-store`.
            for part in value.listMembers(hidingBehindUnclosedQuotes: false) {
                let name = part.prefix { $0 != "=" }.trimmed.lowercased()
                guard !name.isEmpty else { continue }
                var argument = part.dropFirst(part.prefix { $0 != "=" }.count + 1).trimmed
                if argument.count >= 2, argument.hasPrefix("\""), argument.hasSuffix("\"") {
                    argument = argument.dropFirst().dropLast().trimmed
                }
                if directives[name] == nil { directives[name] = String(argument) }
            }
        }
    }

    func has(_ name: String) -> Bool { directives[name] != nil }

    /// The seconds that a directive names, or nil if it is not there.
    ///
    /// `missing` stands for an argument that is left out, `invalid` for one that is no number.
    func seconds(_ name: String, missing: TimeInterval = 0, invalid: TimeInterval = 0) -> TimeInterval? {
        directives[name].map { $0.isEmpty ? missing : Self.seconds($0) ?? invalid }
    }

    /// Reads a number of seconds (RFC 9111 §1.2.2): whatever is too large counts as the largest.
    static func seconds(_ text: String) -> TimeInterval? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(TimeInterval(text) ?? longest, longest)
    }

    /// More seconds than this, which are 68 years, need not be told apart.
    static let longest: TimeInterval = 2_147_483_648
}
