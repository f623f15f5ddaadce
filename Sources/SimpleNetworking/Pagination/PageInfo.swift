/// Tells what an answer says of the pages around it.
public struct PageInfo: Sendable, Hashable {
    /// Where the next page is; nil on the last one.
    public var next: PageStep?
    /// Where the page before is, as far as the answer says so.
    public var previous: PageStep?
    /// The page's number in the server's counting, as far as it has one.
    public var number: Int?
    /// How many items a full page has.
    public var itemsPerPage: Int?
    /// How many pages there are.
    public var totalPages: Int?
    /// How many items there are.
    public var totalItems: Int?

    /// Makes what is known of a page.
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
