import SimpleNetworkingSupport

/// The links in a response's `Link` fields (RFC 8288).
///
/// ```text
/// Link: </items?page=3>; rel="next", </items?page=1>; rel="first prev"
/// ```
struct LinkHeader: Sendable, Hashable {
    /// A link: its target, and the target's relations to the request's URL.
    struct Link: Sendable, Hashable {
        /// The URL as written, which may be relative.
        let target: String
        /// The relations, such as `next`, in lowercase.
        let relations: [String]
        /// The other parameters, such as `title`, by name in lowercase; the first of repeated parameters applies.
        let parameters: [String: String]
    }

    /// The links in the order in which they are written.
    let links: [Link]

    /// Reads one or several comma-separated values of `Link` fields; ignores anything that isn't a link.
    init(_ text: String) {
        var parser = LinkHeaderParser(text)
        links = parser.links()
    }

    /// Returns the URL of the first link with the given relation, as written; nil if there is none.
    ///
    /// Links with an `anchor`, which belong to another resource, are ignored.
    func target(of relation: String) -> String? {
        links.first { $0.parameters["anchor"] == nil && $0.relations.contains(relation.lowercased()) }?.target
    }
}

extension LinkHeader: CustomStringConvertible {
    /// Each link's relations and URL, with secrets hidden.
    var description: String { links.map(\.description).joined(separator: ", ") }
}

extension LinkHeader.Link: CustomStringConvertible, CustomReflectable {
    /// The relations and the URL, with secrets hidden.
    var description: String { "\(relations.joined(separator: " ")): \(Redaction.text(ofURL: target))" }

    /// Shows nothing, because the links may contain secrets.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Reads `Link` fields (RFC 8288 Appendix B); ignores anything that isn't a link.
///
/// Commas and semicolons have no meaning between `<` and `>`, or in quoted strings.
private struct LinkHeaderParser {
    private let bytes: [UInt8]
    private var index = 0
    private static let separators = ByteSet(";,")

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func links() -> [LinkHeader.Link] {
        var links: [LinkHeader.Link] = []
        while skip(to: "<") {
            let start = index
            guard skip(to: ">") else { break }
            links.append(link(to: text(bytes[start..<(index - 1)])))
        }
        return links
    }

    /// Reads the parameters that follow a target, up to the next comma.
    private mutating func link(to target: String) -> LinkHeader.Link {
        var parameters: [String: String] = [:]
        while true {
            _ = read { Self.separators.contains($0) }
            guard isAt(";") else { break }
            index += 1
            let name = text(read { Self.separators.contains($0) || $0 == UInt8(ascii: "=") }).lowercased()
            var value = ""
            if isAt("=") {
                index += 1
                value = parameterValue()
            }
            if !name.isEmpty, parameters[name] == nil { parameters[name] = value }
        }
        let relations = (parameters.removeValue(forKey: "rel") ?? "").lowercased().split { $0 == " " || $0 == "\t" }
        return LinkHeader.Link(target: target, relations: relations.map(String.init), parameters: parameters)
    }

    private mutating func parameterValue() -> String {
        _ = read { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        guard isAt("\"") else { return text(read { Self.separators.contains($0) }) }
        index += 1
        var value: [UInt8] = []
        while index < bytes.count, !isAt("\"") {
            if isAt("\\"), index + 1 < bytes.count { index += 1 }
            value.append(bytes[index])
            index += 1
        }
        index = min(index + 1, bytes.count)
        return String(decoding: value, as: UTF8.self)
    }

    private func isAt(_ mark: Unicode.Scalar) -> Bool { index < bytes.count && bytes[index] == UInt8(ascii: mark) }

    /// Moves past the next occurrence of a byte; returns false if there is none.
    private mutating func skip(to mark: Unicode.Scalar) -> Bool {
        guard let next = bytes[index...].firstIndex(of: UInt8(ascii: mark)) else { return false }
        index = next + 1
        return true
    }

    private mutating func read(until isEnd: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
        return bytes[start..<index]
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)[...].trimmed
    }
}
