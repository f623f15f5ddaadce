/// Holds one page: its items, the response that brought them, and what it says about other pages.
public struct Page<Item> {
    /// The items, in the server's order; a limit may shorten the last page.
    public let items: [Item]
    /// The response.
    public let response: SimpleResponse
    /// The page's number among those requested, from 1.
    public let number: Int
    /// What the response says about other pages.
    public internal(set) var info: PageInfo

    /// Makes a page, for tests.
    public init(items: [Item], response: SimpleResponse, number: Int = 1, info: PageInfo = PageInfo()) {
        self.items = items
        self.response = response
        self.number = number
        self.info = info
    }

    /// Tells whether the server has a next page.
    public var hasNext: Bool { info.next != nil }
}

extension Page: Sendable where Item: Sendable {}

extension Page: CustomStringConvertible {
    /// The number, the count of items and the response, with secrets hidden.
    public var description: String { "page \(number), \(items.count) items: \(response)" }
}

/// Holds what a response says about other pages.
public struct PageInfo: Sendable, Hashable {
    /// The next page; nil on the last one.
    public var next: PageStep?
    /// The previous page; nil if unknown.
    public var previous: PageStep?
    /// The page's number, as the server counts; nil if unknown.
    public var number: Int?
    /// The number of items on a full page; nil if unknown.
    public var itemsPerPage: Int?
    /// The number of pages; nil if unknown.
    public var totalPages: Int?
    /// The number of items on all pages; nil if unknown.
    public var totalItems: Int?

    /// Makes the information about a page.
    public init(
        next: PageStep? = nil,
        previous: PageStep? = nil,
        number: Int? = nil,
        itemsPerPage: Int? = nil,
        totalPages: Int? = nil,
        totalItems: Int? = nil
    ) {
        self.next = next
        self.previous = previous
        self.number = number
        self.itemsPerPage = itemsPerPage
        self.totalPages = totalPages
        self.totalItems = totalItems
    }
}

/// Says where another page is.
public enum PageStep: Sendable, Hashable {
    /// A URL, absolute or relative to the response's, which is used unchanged.
    ///
    /// Of the request's own query only the pairs named in `keeping` are added, and only on the same origin.
    case link(String, keeping: [String] = [])
    /// The same URL, in whose query these pairs replace those with the same names.
    case query(Query)

    /// Gives the decoded value of a name in the query, such as `__token`; nil if there is none.
    public func value(of name: String) -> String? {
        switch self {
        case .link(let link, _): Query.raw(String(URLParts.split(link[...]).query ?? "")).value(of: name)
        case .query(let query): query.value(of: name)
        }
    }
}

extension PageStep: CustomStringConvertible, Redacted {
    /// The link or the pairs, with secrets hidden.
    public var description: String {
        switch self {
        case .link(let link, _): Redaction.text(ofURL: link)
        case .query(let query): query.description
        }
    }
}

/// Tells why the next page can't be requested.
public enum PaginationFailure: Error, Sendable, Hashable {
    /// The server named a page that was requested before.
    case repeatedPage(PageStep)
}

extension PaginationFailure: DescribedError {
    /// What happened, in a sentence, with secrets hidden.
    public var description: String {
        switch self {
        case .repeatedPage(let step): "the next page was requested before: \(step)"
        }
    }
}
