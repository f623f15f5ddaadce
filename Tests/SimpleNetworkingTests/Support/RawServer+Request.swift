import Foundation

@testable import SimpleNetworking

extension RawServer {
    /// A request as it came over the wire.
    struct Request: Sendable {
        /// The method, in the case it was sent.
        var method: String
        /// The target as sent: path and query, not decoded.
        var target: String
        /// The header lines as sent, in order, without line ends.
        var headerLines: [String]
        /// The content, without chunk framing.
        var body = Data()
        /// The connection's number, from 1.
        var connection: Int
        /// How many requests this connection carried before this one.
        var earlierOnConnection: Int

        /// The target without its query.
        var path: String { String(target.prefix { $0 != "?" }) }

        /// What follows the `?`, or nil.
        var query: String? { target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) } }

        /// The content as UTF-8.
        var text: String { String(decoding: body, as: UTF8.self) }

        /// The value of a header field, names in any case, or nil.
        ///
        /// Repeated fields are joined with `", "`.
        subscript(header name: String) -> String? {
            let values = headerLines.compactMap { line -> String? in
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
                return parts[1].trimmingCharacters(in: .whitespaces)
            }
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }

        /// The value of one item of the query, percent-decoded.
        subscript(query name: String) -> String? {
            URLComponents(string: target)?.queryItems?.first { $0.name == name }?.value
        }
    }
}
