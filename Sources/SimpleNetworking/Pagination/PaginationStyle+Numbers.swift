extension PaginationStyle {
    /// Asks for page after page by number.
    ///
    /// The last page is known by the number of pages, else by the number of items; where the content has neither, it is
    /// the first page without items. A page that is shorter than asked for is not the last for that: servers have limits
    /// of their own.
    ///
    /// - Parameters:
    ///   - page: The name that the page's number is sent with. The default is `page`.
    ///   - size: The name that the number of items on a page is sent with, and its field. The default is `per_page`.
    ///   - first: The number of the first page. The default is 1.
    ///   - itemsPerPage: The number of items on a page. The default is nil: the server decides, or the request says so.
    ///   - pages: The field of the number of pages. The default is `total_pages`.
    ///   - total: The field of the number of items. The default is `total`.
    /// - Returns: The style.
    public static func numbers(
        page: String = "page",
        size: String = "per_page",
        first: Int = 1,
        itemsPerPage: Int? = nil,
        pages: String = "total_pages",
        total: String = "total"
    ) -> PaginationStyle {
        let start: Query = [(page, first), (size, itemsPerPage)]
        return PaginationStyle(fields: [page, size, pages, total], start: start) { answer in
            // What was asked for wins over what the server says: it cannot stand still.
            let number =
                answer.asked(page).flatMap { Int($0) } ?? answer.int(page)
                ?? first.addingSaturated(answer.number - 1)
            var info = PageInfo(
                number: number,
                itemsPerPage: answer.int(size) ?? answer.asked(size).flatMap { Int($0) },
                totalPages: answer.int(pages),
                totalItems: answer.int(total)
            )
            let (following, isLast) = number.addingReportingOverflow(1)
            if !isLast, info.hasMore(after: number.subtractingSaturated(first), itemCount: answer.itemCount) {
                info.next = .query([(page, following)])
            }
            if number > first { info.previous = .query([(page, number - 1)]) }
            return info
        }
    }

    /// Asks for the items after those that came so far, until there are none, or all are there.
    ///
    /// - Parameters:
    ///   - offset: The name that the number of items to pass over is sent with. The default is `offset`.
    ///   - limit: The name that the number of items on a page is sent with. The default is `limit`.
    ///   - itemsPerPage: The number of items on a page. The default is nil: the server decides, or the request says so.
    ///   - total: The field of the number of items. The default is `total`.
    /// - Returns: The style.
    public static func offset(
        _ offset: String = "offset",
        limit: String = "limit",
        itemsPerPage: Int? = nil,
        total: String = "total"
    ) -> PaginationStyle {
        PaginationStyle(fields: [total], start: [(offset, 0), (limit, itemsPerPage)]) { answer in
            let begin = max(answer.asked(offset).flatMap { Int($0) } ?? 0, 0)
            // By what came, not by what was asked for: servers have limits of their own.
            let (end, isTooFar) = begin.addingReportingOverflow(answer.itemCount)
            let size = answer.asked(limit).flatMap { Int($0) }
            var info = PageInfo(itemsPerPage: size, totalItems: answer.int(total))
            if !isTooFar, answer.itemCount > 0, end < info.totalItems ?? .max {
                info.next = .query([(offset, end)])
            }
            if begin > 0 { info.previous = .query([(offset, max(begin.subtractingSaturated(size ?? begin), 0))]) }
            return info
        }
    }
}

extension PageInfo {
    /// Says whether there is a page after this one, which has so many pages before it.
    fileprivate func hasMore(after index: Int, itemCount: Int) -> Bool {
        if let totalPages { return index < totalPages.subtractingSaturated(1) }
        if let totalItems, let itemsPerPage, itemsPerPage > 0 {
            return index < totalItems.subtractingSaturated(1) / itemsPerPage
        }
        return itemCount > 0
    }
}
