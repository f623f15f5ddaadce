/// Gives a list item by item: an asynchronous sequence that asks for a page when its first item is wanted, and not before.
///
/// Each time it is gone through it begins with the first page. See ``SimpleNetworking/items(of:at:for:style:limit:)``.
public struct PagedItems<Item: Decodable & SendableMetatype>: AsyncSequence, Sendable {
    let pages: Pages<Item>

    /// Gives an iterator that stands before the first item.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// Gives one item after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private var pages: Pages<Item>.Iterator
        private var items: ArraySlice<Item> = []

        fileprivate init(pages: Pages<Item>.Iterator) { self.pages = pages }

        /// Gives the next item, and asks for a page if need be; empty pages are passed over.
        ///
        /// - Returns: The item; nil after the last one, after an error, and where the limit is reached.
        /// - Throws: `SimpleNetworkingError`, or `CancellationError` when the task was cancelled.
        public mutating func next() async throws -> Item? {
            while items.isEmpty {
                guard let page = try await pages.next() else { return nil }
                items = page.items[...]
            }
            return items.removeFirst()
        }
    }
}
