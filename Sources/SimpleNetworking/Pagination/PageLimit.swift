/// Limits how many pages or items of a list are requested: `.pages(10)`, `.items(500)`, or both.
///
/// A list ends at its limit as it does after the last page.
public struct PageLimit: Sendable, Hashable {
    /// The most pages to request; nil for no limit.
    let pages: Int?
    /// The most items to give, which may shorten the last page; nil for no limit.
    let items: Int?

    /// Makes a limit of pages, of items, or of both.
    public init(pages: Int? = nil, items: Int? = nil) {
        self.pages = pages
        self.items = items
    }

    /// Requests all pages.
    public static let none = PageLimit()

    /// Requests at most this many pages.
    public static func pages(_ count: Int) -> PageLimit { PageLimit(pages: count) }

    /// Gives at most this many items.
    public static func items(_ count: Int) -> PageLimit { PageLimit(items: count) }

    func allowsMore(thanPages pages: Int, items: Int) -> Bool {
        pages < self.pages ?? .max && items < self.items ?? .max
    }
}
