import SimpleNetworking

/// Describes which page of a list to request, and the other pages.
public struct NationPagination: Sendable, Hashable {
    /// The direction.
    public enum Direction: Sendable {
        /// To the page after this one.
        case next
        /// To the page before this one.
        case previous
    }

    /// The page's number, from 1.
    public var currentPage = 1 { didSet { currentPage = max(1, currentPage) } }
    /// How many items a page has.
    public var itemsPerPage = 10
    /// The number of pages; known for pages by number only.
    public var totalPages = 0
    /// The number of items; known for pages by number only.
    public var totalItems = 0
    /// The number of items so far.
    public var availableItems = 0
    /// Whether pages are requested by number.
    public var isLegacy = false
    /// The link to the next page.
    public var nextPage: String?
    /// The link to the previous page.
    public var previousPage: String?
    /// The direction.
    public var direction = Direction.next

    /// Makes the first page.
    public init() {}

    /// Reads a response's content.
    public init(_ content: [String: Any], isLegacy: Bool = false) {
        self.isLegacy = isLegacy
        if isLegacy {
            currentPage = max(1, content["page"] as? Int ?? 1)
            itemsPerPage = content["per_page"] as? Int ?? itemsPerPage
            totalPages = content["total_pages"] as? Int ?? 0
            totalItems = content["total"] as? Int ?? 0
        } else {
            nextPage = content["next"] as? String
            previousPage = content["prev"] as? String
            let linked = nextPage.flatMap { Self.pairs(of: $0).last { $0.0 == "limit" }?.1 }.flatMap { Int($0) }
            itemsPerPage = content["limit"] as? Int ?? linked ?? itemsPerPage
        }
    }

    /// Reads a page, counting from the requested one; nil for a response that is not a page.
    ///
    /// If none was requested, the server chooses between links and numbers.
    init?(_ response: SimpleResponse, after asked: NationPagination?, isLegacy: Bool) {
        guard let content = response.json, content.keys.contains("next") || content.keys.contains("total_pages") else {
            return nil
        }
        self.init(content, isLegacy: isLegacy || asked == nil && !content.keys.contains("next"))
        guard let asked else { return }
        itemsPerPage = asked.itemsPerPage
        direction = asked.direction
        availableItems = asked.availableItems
        guard !isLegacy else { return }
        currentPage = asked.currentPage
        // The first page is requested without a link.
        if asked.link != nil { updateCurrentPage() }
    }

    /// The link to the next page in the direction.
    private var link: String? { direction == .next ? nextPage : previousPage }

    /// The parameters of the page's request.
    public var query: Query {
        if isLegacy { return [("page", currentPage), ("per_page", itemsPerPage)] }
        guard let link else { return [("limit", itemsPerPage)] }
        return Query(Self.pairs(of: link).filter { $0.0 != "access_token" })
    }

    /// The fields of a response's content that describe the page.
    public var content: [String: Any] {
        if isLegacy {
            return ["page": currentPage, "per_page": itemsPerPage, "total_pages": totalPages, "total": totalItems]
        }
        var content: [String: Any] = ["limit": itemsPerPage]
        content["next"] = nextPage
        content["prev"] = previousPage
        return content
    }

    /// Counts one page forward or back; pages by number have their own number.
    public mutating func updateCurrentPage() {
        if !isLegacy { currentPage += direction == .next ? 1 : -1 }
    }

    /// Whether this is the last page.
    public var isLastPage: Bool { isLegacy ? currentPage == totalPages : nextPage == nil }

    /// Returns the index of a page's first item in the whole list.
    public func indexOfFirstItem(atPage page: Int) -> Int { itemsPerPage * max(0, page - 1) }

    /// Returns the number of items of a page: the current one may have fewer than the others.
    public func numberOfItems(atPage page: Int) -> Int {
        guard page == currentPage, itemsPerPage > 0 else { return itemsPerPage }
        let rest = availableItems % itemsPerPage
        return rest == 0 ? itemsPerPage : rest
    }

    /// Returns the pairs of a URL's query, decoded; values stay text.
    ///
    /// Parts without `=` are left out.
    public static func pairs(of address: String) -> [(String, String)] {
        let items = URLComponents(string: address)?.queryItems ?? []
        return items.compactMap { item in item.value.map { (item.name, $0) } }
    }
}
