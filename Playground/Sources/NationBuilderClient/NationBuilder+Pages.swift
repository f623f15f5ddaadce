import SimpleNetworking

extension NationBuilder {
    /// Gives a list page by page, each asked for when it is wanted.
    ///
    /// ```swift
    /// for try await page in nation.pages(.people()) { print(page.number, page.items.count) }
    /// ```
    ///
    /// A row that can't be read is left out, and counts for the limit.
    public func pages<Item>(_ endpoint: NationEndpoint<[Item]>, limit: PageLimit = .none) -> NationPages<Item> {
        let request = request(for: endpoint, page: NationPagination()).tag(ResultsDecoder.tag, "")
        return NationPages(
            pages: pages(of: ReadableRow<Item>.self, at: endpoint.resultsKey, for: request, style: style, limit: limit)
        )
    }

    private var style: PaginationStyle {
        if usesLegacyPagination { return .numbers(itemsPerPage: NationPagination().itemsPerPage) }
        let fields = ["next", "prev", "limit"]
        // By the links' pairs alone: a nation behind a proxy does not know its own path.
        return PaginationStyle(fields: fields, start: NationPagination().query) { answer in
            func step(_ field: String) -> PageStep? {
                answer[field].map { .query(Query(NationPagination.pairs(of: $0).filter { $0.0 != "access_token" })) }
            }
            return PageInfo(
                next: step("next"),
                previous: step("prev"),
                itemsPerPage: answer["limit"].flatMap { Int($0) }
            )
        }
    }
}
