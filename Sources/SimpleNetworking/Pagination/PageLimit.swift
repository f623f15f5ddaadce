/// Says how far to go from page to page: `.pages(10)`, `.items(500)`, or both.
///
/// Where a limit is reached, it ends there as it does at the last page.
public struct PageLimit: Sendable, Hashable {
    /// How many pages to ask for at most; nil for no limit.
    public var pages: Int?
    /// How many items to give at most; nil for no limit.
    ///
    /// A page that has more is cut.
    public var items: Int?

    /// Makes a limit of pages, of items, or of both.
    public init(pages: Int? = nil, items: Int? = nil) {
        self.pages = pages
        self.items = items
    }

    /// Goes on to the last page.
    public static let none = PageLimit()

    /// Asks for so many pages at most.
    public static func pages(_ count: Int) -> PageLimit { PageLimit(pages: count) }

    /// Gives so many items at most.
    public static func items(_ count: Int) -> PageLimit { PageLimit(items: count) }

    func allowsMore(thanPages pages: Int, items: Int) -> Bool {
        pages < self.pages ?? .max && items < self.items ?? .max
    }
}
