import SimpleNetworking
import SimpleNetworkingPagination

extension NationBuilder {
    /// Returns a list as a sequence of pages, each requested when it is needed.
    ///
    /// ```swift
    /// for try await page in nation.pages(.people()) { print(page.number, page.items.count) }
    /// ```
    ///
    /// A row that can't be read is left out, and counts for the limit.
    public func pages<Item>(
        _ endpoint: NationEndpoint<[Item]>,
        limit: PaginationStyle.Limit = .none
    ) -> NationPages<Item> {
        let request = request(for: endpoint, page: NationPagination()).tag(ResultsDecoder.tag, "")
        return NationPages(
            pages: pages(of: ReadableRow<Item>.self, at: endpoint.resultsKey, for: request, style: style, limit: limit)
        )
    }

    private var style: PaginationStyle {
        if usesLegacyPagination { return .numbers(itemsPerPage: NationPagination().itemsPerPage) }
        let fields = ["next", "prev", "limit"]
        // By the links' pairs alone: a nation behind a proxy does not know its own path.
        return PaginationStyle(fields: fields, start: NationPagination().query) { page in
            func step(_ field: String) -> PaginationStyle.Step? {
                page[field].map { .query(Query(NationPagination.pairs(of: $0).filter { $0.0 != "access_token" })) }
            }
            return PaginationStyle.Info(
                next: step("next"),
                previous: step("prev"),
                itemsPerPage: page["limit"].flatMap { Int($0) }
            )
        }
    }
}

/// The pages of a list, each requested when it is needed; made by ``NationBuilder/pages(_:limit:)``.
public struct NationPages<Item: Decodable & Sendable>: AsyncSequence, Sendable {
    let pages: RequestSequence<Page<ReadableRow<Item>>>

    /// Begins with the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// Requests one page after the other.
    public struct Iterator: AsyncIteratorProtocol {
        var pages: RequestSequence<Page<ReadableRow<Item>>>.Iterator

        /// Returns the next page, with the rows that can be decoded, or nil after the last one.
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
