/// Says where another page is.
public enum PageStep: Sendable, Hashable {
    /// At an address, absolute or relative to the one that answered, which is taken as it is.
    ///
    /// Of the request's own pairs only those that are named to be kept go along, and never to another origin.
    case link(String, keeping: [String] = [])
    /// At the same address with these pairs in place of those of the same names.
    case query(Query)

    /// Gives the decoded value of a name in the link's or the pairs' query, such as `__token`; nil if there is none.
    public func value(of name: String) -> String? {
        switch self {
        case .link(let link, _): Query.raw(String(AddressParts.split(link[...]).query ?? "")).value(of: name)
        case .query(let query): query.value(of: name)
        }
    }
}

extension PageStep: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The link or the pairs, with secrets hidden.
    public var description: String {
        switch self {
        case .link(let link, _): Redaction.text(ofURL: link)
        case .query(let query): query.description
        }
    }

    /// The link or the pairs, with secrets hidden.
    public var debugDescription: String { description }

    /// Shows no more than the description does.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}
