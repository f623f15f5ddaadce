/// Holds one page: its items, the answer that brought them, and what that says of other pages.
public struct Page<Item> {
    /// The items, in the server's order; of the last page no more than the limit allows.
    public let items: [Item]
    /// The answer.
    public let response: SimpleResponse
    /// The page's number among those asked for, from 1.
    public let number: Int
    /// What the answer says of the pages around it.
    public let info: PageInfo

    /// Makes a page, for tests.
    public init(items: [Item], response: SimpleResponse, number: Int = 1, info: PageInfo = PageInfo()) {
        self.items = items
        self.response = response
        self.number = number
        self.info = info
    }

    /// Tells whether the server has a page after this one.
    public var hasNext: Bool { info.next != nil }
}

extension Page: Sendable where Item: Sendable {}

extension Page: CustomStringConvertible {
    /// The number, the count of items and the answer, with secrets hidden.
    public var description: String { "page \(number), \(items.count) items: \(response)" }
}
