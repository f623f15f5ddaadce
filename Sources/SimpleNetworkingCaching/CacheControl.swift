import SimpleNetworkingFeatureSupport

/// The directives of a `Cache-Control` field, in a request or a response (RFC 9111 §5.2).
package struct CacheControl: Sendable {
    /// The directives by name in lowercase; the first of repeated directives applies (RFC 9111 §4.2.1).
    private var directives: [String: String] = [:]

    /// Reads the values of the field, or of HTTP/1.0's `Pragma`, which has the same form (RFC 9111 §5.4).
    package init(_ values: [String]) {
        // An unclosed quote must not hide a `no-store`.
        for part in values.flatMap({ $0.listMembers(hidingBehindUnclosedQuotes: false) }) {
            let (name, value) = part.parts(at: "=")
            let key = name.trimmed.lowercased()
            guard !key.isEmpty, directives[key] == nil else { continue }
            var argument = (value ?? "").trimmed
            if argument.count >= 2, argument.hasPrefix("\""), argument.hasSuffix("\"") {
                argument = argument.dropFirst().dropLast().trimmed
            }
            directives[key] = argument
        }
    }

    package func has(_ name: String) -> Bool { directives[name] != nil }

    /// Returns the seconds of a directive; nil if the directive is absent.
    ///
    /// `missing` is used for a missing argument, and `invalid` for one that is not a number.
    package func seconds(_ name: String, missing: TimeInterval = 0, invalid: TimeInterval = 0) -> TimeInterval? {
        directives[name].map { $0.isEmpty ? missing : FieldDelay.seconds($0) ?? invalid }
    }
}

extension CacheControl {
    init(_ headers: HTTPHeaders) { self.init(headers.values(for: "Cache-Control")) }

    init(pragma headers: HTTPHeaders) { self.init(headers.values(for: "Pragma")) }
}
