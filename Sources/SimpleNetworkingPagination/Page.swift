import SimpleNetworkingSupport

/// Holds one page: its items, the response, and information about other pages.
public struct Page<Item> {
    /// The items in the server's order.
    ///
    /// A limit may truncate the last page.
    public let items: [Item]
    /// The response that contains the page.
    public let response: SimpleResponse
    /// The page's position among the requested pages, starting at 1.
    public let number: Int
    /// The response's information about other pages.
    public internal(set) var info: PaginationStyle.Info

    /// Creates a page, for tests.
    public init(items: [Item], response: SimpleResponse, number: Int = 1, info: PaginationStyle.Info = .init()) {
        self.items = items
        self.response = response
        self.number = number
        self.info = info
    }

    /// Whether the server has a next page.
    public var hasNext: Bool { info.next != nil }
}

extension Page: Sendable where Item: Sendable {}

extension Page: Described {
    /// The number, the item count and the response, with secrets hidden.
    package var shownText: String { "page \(number), \(items.count) items: \(response)" }
}

extension PaginationStyle {
    /// Holds a response's information about other pages.
    public struct Info: Sendable, Hashable {
        /// The next page; nil on the last page.
        public var next: Step?
        /// The previous page; nil if it is unknown.
        public var previous: Step?
        /// The server's number for this page; nil if it is unknown.
        public var number: Int?
        /// The number of items on a full page; nil if it is unknown.
        public var itemsPerPage: Int?
        /// The number of pages; nil if it is unknown.
        public var totalPages: Int?
        /// The total number of items on all pages; nil if it is unknown.
        public var totalItems: Int?

        /// Creates a value that describes a page.
        public init(
            next: Step? = nil,
            previous: Step? = nil,
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

    /// Describes how to request another page.
    public enum Step: Sendable, Hashable {
        /// The next request uses this URL, which is absolute or relative to the response's URL.
        ///
        /// If the URL has the same origin, the client copies the pairs named in `keeping` from the request's own query
        /// to the URL. Otherwise, the client uses the URL unchanged.
        case link(String, keeping: [String] = [])
        /// The next request uses the same URL with these query pairs, which replace pairs with the same names.
        case query(Query)

        /// Returns the decoded value of the given query parameter, such as `__token`, or nil if it is missing.
        public func value(of name: String) -> String? {
            switch self {
            case .link(let link, _): Query.raw(String(URLParts.split(link[...]).query ?? "")).value(of: name)
            case .query(let query): query.value(of: name)
            }
        }
    }
}

extension PaginationStyle.Step: Described, Redacted {
    /// The link or the pairs, with secrets hidden.
    package var shownText: String {
        switch self {
        case .link(let link, _): Redaction.text(ofURL: link)
        case .query(let query): query.description
        }
    }
}

/// Describes why the next page can't be requested.
public enum PaginationFailure: Error, Sendable, Hashable {
    /// The server's next page has already been requested.
    case repeatedPage(PaginationStyle.Step)
}

extension PaginationFailure: DescribedError {
    /// A description of the failure, with secrets hidden.
    package var shownText: String {
        switch self {
        case .repeatedPage(let step): "the next page was requested before: \(step)"
        }
    }
}
