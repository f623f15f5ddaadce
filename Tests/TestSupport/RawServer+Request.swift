import Foundation

extension RawServer {
    /// A request as it came over the wire.
    package struct Request: Sendable {
        /// The method, in the case it was sent.
        package var method: String
        /// The target as sent: path and query, not decoded.
        package var target: String
        /// The header lines as sent, in order, without line ends.
        package var headerLines: [String]
        /// The content, without chunk framing.
        package var body = Data()
        /// The lines that followed the content, without line ends.
        package var trailerLines: [String] = []
        /// The connection's number, from 1.
        package var connection: Int
        /// How many requests this connection carried before this one.
        package var earlierOnConnection: Int

        /// The target without its query.
        package var path: String { String(target.prefix { $0 != "?" }) }

        /// What follows the `?`, or nil.
        package var query: String? { target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) } }

        /// The content as UTF-8.
        package var text: String { String(decoding: body, as: UTF8.self) }

        /// The value of a header field, names in any case, or nil.
        ///
        /// Repeated fields are joined with `", "`.
        package subscript(header name: String) -> String? {
            let values = headerLines.compactMap { line -> String? in
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
                return parts[1].trimmingCharacters(in: .whitespaces)
            }
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }

        /// The value of one item of the query, percent-decoded.
        package subscript(query name: String) -> String? {
            URLComponents(string: target)?.queryItems?.first { $0.name == name }?.value
        }
    }
}
