import SimpleNetworking

/// Gives the pages of a list, each asked for when it is wanted; made by ``NationBuilder/pages(_:limit:)``.
public struct NationPages<Item: Decodable & Sendable>: AsyncSequence, Sendable {
    let pages: Pages<ReadableRow<Item>>

    /// Begins with the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// Asks for one page after the other.
    public struct Iterator: AsyncIteratorProtocol {
        var pages: Pages<ReadableRow<Item>>.Iterator

        /// Gives the next page, with the rows that can be read, or nil after the last one.
        public mutating func next() async throws -> Page<Item>? {
            guard let page = try await pages.next() else { return nil }
            return Page(
                items: page.items.compactMap(\.item),
                response: page.response,
                number: page.number,
                info: page.info
            )
        }
    }
}
