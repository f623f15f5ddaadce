import SimpleNetworkingSupport

/// Finds the next page in a response.
///
/// | style | finds the next page from |
/// |---|---|
/// | ``links(next:previous:size:keeping:)`` | a link in the body |
/// | ``linkHeader(total:)`` | a link in the `Link` header field |
/// | ``numbers(page:size:first:itemsPerPage:pages:total:)`` | the page number |
/// | ``cursor(at:parameter:more:ends:)`` | a cursor in the body |
/// | ``offset(_:limit:itemsPerPage:total:)`` | the number of items received so far |
///
/// To name a nested field of the body, join its keys with dots, as in `meta.next_cursor`. A key that itself contains
/// dots, such as `@odata.nextLink`, is found as well. To name an element of an array, add brackets with its index, which
/// counts from the end if it is negative, or with a value of the element: `data[-1].id`, `link[relation=next].url`.
///
/// If the list ends, and no page had one of the named fields, the client logs a warning, and the request's trace
/// contains an `ignored` event: the path may be wrong. A list without items needs no fields.
public struct PaginationStyle: Sendable {
    let fields: [String]
    let start: Query
    /// The fields that at least one page must have, and whether a page has them.
    let required: [String: @Sendable (PageResponse) -> Bool]
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
        let required = fields.map { field in (field, { @Sendable (page: PageResponse) in page.fields[field] != nil }) }
        self.init(fields: fields, start: start, required: Dictionary(required) { first, _ in first }, read)
    }

    init(
        fields: [String],
        start: Query = [:],
        required: [String: @Sendable (PageResponse) -> Bool],
        _ read: @escaping @Sendable (PageResponse) throws -> Info
    ) {
        self.fields = fields
        self.start = start
        self.required = required
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
    let fields: [String: ListField]
    let query: Query
    /// The number of items on the previous pages.
    var previousItems = 0
    /// The largest total that a previous page has named.
    var largestTotal: Int?

    /// Returns the value of one of the style's fields as a string, if the value is a string, number or Boolean.
    ///
    /// The result is nil for null, objects, arrays and missing fields.
    public subscript(field: String) -> String? { fields[field]?.text }

    /// Returns the decoded value of a pair in the request's query, or nil if there is no such pair.
    func queryValue(of name: String) -> String? { query.value(of: name) }

    func int(_ field: String) -> Int? { self[field].flatMap { Int($0[...].trimmed) } }

    func queryInt(_ name: String) -> Int? { queryValue(of: name).flatMap { Int($0) } }
}

extension PageResponse: Redacted {
    /// The properties without the fields, which may contain links with tokens.
    package var shownMembers: KeyValuePairs<String, Any> {
        ["response": response, "itemCount": itemCount, "number": number]
    }
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
