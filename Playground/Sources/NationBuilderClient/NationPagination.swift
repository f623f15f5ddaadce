import SimpleNetworking

/// Says which page of a list to ask for, and what a page says of the others.
public struct NationPagination: Sendable, Hashable {
    /// Which way to go.
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
    /// How many pages there are; known for pages by number alone.
    public var totalPages = 0
    /// How many items there are; known for pages by number alone.
    public var totalItems = 0
    /// How many items the caller knows of.
    public var availableItems = 0
    /// Whether pages are asked for by number.
    public var isLegacy = false
    /// Where the next page is.
    public var nextPage: String?
    /// Where the page before is.
    public var previousPage: String?
    /// Which way to go.
    public var direction = Direction.next

    /// Makes the first page.
    public init() {}

    /// Reads what an answer's content says.
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

    /// Reads a page, and counts on from the one that was asked for; nil for an answer that is no page.
    ///
    /// If none was asked for, the server chooses between links and numbers.
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
        // The first page is asked for without a link.
        if asked.link != nil { updateCurrentPage() }
    }

    /// The link that leads on in the direction.
    private var link: String? { direction == .next ? nextPage : previousPage }

    /// What the page is asked for with.
    public var query: Query {
        if isLegacy { return [("page", currentPage), ("per_page", itemsPerPage)] }
        guard let link else { return [("limit", itemsPerPage)] }
        return Query(Self.pairs(of: link).filter { $0.0 != "access_token" })
    }

    /// What an answer's content says of the page.
    public var content: [String: Any] {
        if isLegacy {
            return ["page": currentPage, "per_page": itemsPerPage, "total_pages": totalPages, "total": totalItems]
        }
        var content: [String: Any] = ["limit": itemsPerPage]
        content["next"] = nextPage
        content["prev"] = previousPage
        return content
    }

    /// Counts one page on or back; pages by number count themselves.
    public mutating func updateCurrentPage() {
        if !isLegacy { currentPage += direction == .next ? 1 : -1 }
    }

    /// Tells whether there is no page after this one.
    public var isLastPage: Bool { isLegacy ? currentPage == totalPages : nextPage == nil }

    /// Gives the index of a page's first item in the whole list.
    public func indexOfFirstItem(atPage page: Int) -> Int { itemsPerPage * max(0, page - 1) }

    /// Gives the number of items of a page: the current one may have fewer than the others.
    public func numberOfItems(atPage page: Int) -> Int {
        guard page == currentPage, itemsPerPage > 0 else { return itemsPerPage }
        let rest = availableItems % itemsPerPage
        return rest == 0 ? itemsPerPage : rest
    }

    /// Gives the pairs of an address's query, decoded; a value stays the text that it is.
    ///
    /// What has no `=` is no pair.
    public static func pairs(of address: String) -> [(String, String)] {
        let items = URLComponents(string: address)?.queryItems ?? []
        return items.compactMap { item in item.value.map { (item.name, $0) } }
    }
}
