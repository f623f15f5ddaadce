/// Holds the links that an answer's `Link` fields name (RFC 8288).
///
/// ```text
/// Link: </items?page=3>; rel="next", </items?page=1>; rel="first prev"
/// ```
public struct LinkHeader: Sendable, Hashable {
    /// One link: where it leads, and how that relates to what was asked for.
    public struct Link: Sendable, Hashable {
        /// The address as it was written, which may be relative.
        public let target: String
        /// The relations, such as `next`, in lower case.
        public let relations: [String]
        /// The other parameters, such as `title`, by their names in lower case; of one that comes twice the first counts.
        public let parameters: [String: String]
    }

    /// The links in the order in which they were written.
    public let links: [Link]

    /// Reads the value of a `Link` field, or of several that are joined by commas.
    ///
    /// What is not a link is passed over.
    public init(_ text: String) {
        var parser = LinkHeaderParser(text)
        links = parser.links()
    }

    /// Gives the address of the first link with a relation, as it was written; nil if there is none.
    ///
    /// Links from elsewhere, which have an `anchor`, do not count.
    public func target(of relation: String) -> String? {
        links.first { $0.parameters["anchor"] == nil && $0.relations.contains(relation.lowercased()) }?.target
    }
}

extension SimpleResponse {
    /// The links of the answer's header.
    public var links: LinkHeader { LinkHeader(headers["Link"] ?? "") }

    /// Gives the absolute address of the first link with a relation, such as `next`; nil if there is none, or it is no
    /// valid address.
    ///
    /// A relative link is resolved against the address that answered.
    public func link(_ relation: String) -> URL? {
        links.target(of: relation).flatMap { try? AddressParts(resolving: $0, against: request.url).url() }
    }
}

extension LinkHeader: CustomStringConvertible {
    /// Each link's relations and address, with secrets hidden.
    public var description: String { links.map(\.description).joined(separator: ", ") }
}

extension LinkHeader.Link: CustomStringConvertible, CustomReflectable {
    /// The relations and the address, with secrets hidden.
    public var description: String { "\(relations.joined(separator: " ")): \(Redaction.text(ofURL: target))" }

    /// Shows no more than the description does.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
