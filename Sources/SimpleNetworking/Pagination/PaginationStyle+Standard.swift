extension PaginationStyle {
    /// Follows links in the body.
    ///
    /// A missing, null or empty link ends the list.
    ///
    /// Links are absolute or relative to the response's URL. To request pages in reverse order, swap `next` and
    /// `previous`.
    ///
    /// - Parameters:
    ///   - next: The name of the field that holds the link to the next page. The default is `next`.
    ///   - previous: The name of the field that holds the link to the previous page. The default is `prev`.
    ///   - size: The name of the body field, or of the query parameter in a link, that contains the page size. The
    ///     default is `limit`.
    ///   - keeping: The names of the request's own query pairs to add to links to the same origin. By default, no pairs
    ///     are added.
    /// - Returns: The style.
    public static func links(
        next: String = "next",
        previous: String = "prev",
        size: String = "limit",
        keeping: [String] = []
    ) -> PaginationStyle {
        PaginationStyle(fields: [next, previous, size]) { response in
            func step(_ field: String) -> Step? {
                response[field].flatMap { $0.isEmpty ? nil : .link($0, keeping: keeping) }
            }
            let (next, previous) = (step(next), step(previous))
            let given = next?.value(of: size) ?? previous?.value(of: size) ?? response.queryValue(of: size)
            let itemsPerPage = response.int(size) ?? given.flatMap { Int($0) }
            return Info(next: next, previous: previous, itemsPerPage: itemsPerPage)
        }
    }

    /// Follows the links with the relation `next` in the `Link` header field (RFC 8288).
    ///
    /// `total` is the name of the header field that holds the total number of items, such as `X-Total-Count`. The
    /// default is nil.
    public static func linkHeader(total: String? = nil) -> PaginationStyle {
        PaginationStyle { page in
            let links = page.response.links
            let count = total.flatMap { page.response.headers[$0] }
            return Info(
                next: links.target(of: "next").map { .link($0) },
                previous: (links.target(of: "prev") ?? links.target(of: "previous")).map { .link($0) },
                totalItems: count.flatMap { Int($0) }
            )
        }
    }

    /// Sends the cursor from the last response.
    ///
    /// A missing, null or empty cursor ends the list.
    ///
    /// - Parameters:
    ///   - field: The name of the field that holds the cursor, such as `meta.next_cursor`.
    ///   - parameter: The name of the query parameter for the cursor. The default is `cursor`.
    ///   - more: The name of a field that is false on the last page, for servers that also send a cursor on the last
    ///     page. The default is nil.
    /// - Returns: The style.
    public static func cursor(at field: String, parameter: String = "cursor", more: String? = nil) -> PaginationStyle {
        PaginationStyle(fields: [field] + [more].compactMap { $0 }) { response in
            let isLast = more.map { response[$0] != "true" } ?? false
            guard !isLast, let cursor = response[field], !cursor.isEmpty else { return Info() }
            return Info(next: .query([(parameter, cursor)]))
        }
    }

    /// Requests pages by number.
    ///
    /// The last page is determined from the number of pages, or else from the total number of items. If the response
    /// contains neither number, the first page without items ends the list. A short page isn't necessarily the last
    /// page, because a server may limit the page size.
    ///
    /// - Parameters:
    ///   - page: The name of the query parameter for the page number. The default is `page`.
    ///   - size: The name of both the query parameter and the body field for the page size. The default is `per_page`.
    ///   - first: The number of the first page. The default is 1.
    ///   - itemsPerPage: The page size. If nil (the default), the request or the server determines the page size.
    ///   - pages: The name of the field that holds the number of pages. The default is `total_pages`.
    ///   - total: The name of the field that holds the total number of items. The default is `total`.
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
        return PaginationStyle(fields: [page, size, pages, total], start: start) { response in
            // The number in the query takes precedence, because a server could repeat its own number forever.
            let number = response.queryInt(page) ?? response.int(page) ?? first.addingSaturated(response.number - 1)
            var info = Info(
                number: number,
                itemsPerPage: response.int(size) ?? response.queryInt(size),
                totalPages: response.int(pages),
                totalItems: response.int(total)
            )
            let (following, isLast) = number.addingReportingOverflow(1)
            if !isLast, info.hasMore(after: number.subtractingSaturated(first), itemCount: response.itemCount) {
                info.next = .query([(page, following)])
            }
            if number > first { info.previous = .query([(page, number - 1)]) }
            return info
        }
    }

    /// Requests pages by offset, until a page has no items or all items have arrived.
    ///
    /// - Parameters:
    ///   - offset: The name of the query parameter for the number of items to skip. The default is `offset`.
    ///   - limit: The name of the query parameter for the page size. The default is `limit`.
    ///   - itemsPerPage: The page size. If nil (the default), the request or the server determines the page size.
    ///   - total: The name of the field that holds the total number of items. The default is `total`.
    /// - Returns: The style.
    public static func offset(
        _ offset: String = "offset",
        limit: String = "limit",
        itemsPerPage: Int? = nil,
        total: String = "total"
    ) -> PaginationStyle {
        PaginationStyle(fields: [total], start: [(offset, 0), (limit, itemsPerPage)]) { response in
            let begin = max(response.queryInt(offset) ?? 0, 0)
            // The received items are counted, not the requested ones, because servers may have their own limits.
            let (end, isTooFar) = begin.addingReportingOverflow(response.itemCount)
            let size = response.queryInt(limit)
            var info = Info(itemsPerPage: size, totalItems: response.int(total))
            if !isTooFar, response.itemCount > 0, end < info.totalItems ?? .max {
                info.next = .query([(offset, end)])
            }
            if begin > 0 { info.previous = .query([(offset, max(begin.subtractingSaturated(size ?? begin), 0))]) }
            return info
        }
    }
}

extension PaginationStyle.Info {
    /// Returns whether there is a page after this page, which `index` pages precede.
    fileprivate func hasMore(after index: Int, itemCount: Int) -> Bool {
        if let totalPages { return index < totalPages.subtractingSaturated(1) }
        if let totalItems, let itemsPerPage, itemsPerPage > 0 {
            return index < totalItems.subtractingSaturated(1) / itemsPerPage
        }
        return itemCount > 0
    }
}
