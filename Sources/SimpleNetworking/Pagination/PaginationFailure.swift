/// Tells why there is no way on to the next page.
public enum PaginationFailure: Error, Sendable, Hashable {
    /// The server named a page as the next one that had been asked for already: it would never end.
    case repeatedPage(PageStep)
}

extension PaginationFailure: LocalizedError, CustomStringConvertible {
    /// What happened, in a sentence, with secrets hidden.
    public var description: String {
        switch self {
        case .repeatedPage(let step): "the next page is one that was asked for before, \(step)"
        }
    }

    /// What happened, in a sentence, with secrets hidden.
    public var errorDescription: String? { description }
}
