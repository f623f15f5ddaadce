/// Finds the next page in a response.
///
/// | style | finds the next page from |
/// |---|---|
/// | ``links(next:previous:size:keeping:)`` | a link in the body |
/// | ``linkHeader(total:)`` | a link in the `Link` header field |
/// | ``numbers(page:size:first:itemsPerPage:pages:total:)`` | the page number |
/// | ``cursor(at:parameter:more:)`` | a cursor in the body |
/// | ``offset(_:limit:itemsPerPage:total:)`` | the number of items received so far |
///
/// To name a nested field of the body, join its keys with dots, as in `meta.next_cursor`.
public struct PaginationStyle: Sendable {
    let fields: [String]
    let start: Query
    let read: @Sendable (PageResponse) throws -> Info

    /// Creates a custom style.
    ///
    /// - Parameters:
    ///   - fields: The fields of the body that describe other pages. They are decoded together with the items.
    ///   - start: The query pairs for the first page. The request's own pairs replace pairs with the same names.
    ///   - read: A closure that finds other pages in a response. The closure runs on any thread. If it throws an error,
    ///     the list ends with that error after this page.
    public init(
        fields: [String] = [],
        start: Query = [:],
        _ read: @escaping @Sendable (PageResponse) throws -> Info
    ) {
        self.fields = fields
        self.start = start
        self.read = read
    }
}

/// Holds the response in which a pagination style finds the next page.
public struct PageResponse: Sendable {
    /// The response that contains the page.
    public let response: SimpleResponse
    /// The number of items on this page.
    public let itemCount: Int
    /// The page's position among the requested pages, starting at 1.
    public let number: Int
    let fields: [String: String]
    let query: Query

    /// Returns the value of one of the style's fields as a string, if the value is a string, number or Boolean.
    ///
    /// The result is nil for null, objects, arrays and missing fields.
    public subscript(field: String) -> String? { fields[field] }

    /// Returns the decoded value of a pair in the request's query, or nil if there is no such pair.
    func queryValue(of name: String) -> String? { query.value(of: name) }

    func int(_ field: String) -> Int? { fields[field].flatMap { Int($0) } }

    func queryInt(_ name: String) -> Int? { queryValue(of: name).flatMap { Int($0) } }
}

extension PageResponse: Redacted {
    /// The properties without the fields, which may contain links with tokens.
    var shownMembers: KeyValuePairs<String, Any> { ["response": response, "itemCount": itemCount, "number": number] }
}

extension PaginationStyle {
    /// Limits how many pages or items of a list are requested, for example, with `.pages(10)` or `.items(500)`.
    ///
    /// If a list reaches its limit, it ends in the same way as after its last page.
    public struct Limit: Sendable, Hashable {
        let pages: Int?
        let items: Int?

        /// Requests all pages.
        public static let none = Limit(pages: nil, items: nil)

        /// Limits the number of pages and, optionally, the number of items; an item limit may truncate the last page.
        public static func pages(_ count: Int, items: Int? = nil) -> Limit { Limit(pages: count, items: items) }

        /// Limits the number of items; the limit may truncate the last page.
        public static func items(_ count: Int) -> Limit { Limit(pages: nil, items: count) }

        func allowsMore(thanPages pages: Int, items: Int) -> Bool {
            pages < self.pages ?? .max && items < self.items ?? .max
        }
    }
}
