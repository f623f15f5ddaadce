import SimpleNetworkingSupport

extension PaginationStyle {
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
    ///   - pages: The name of the body field or header field that holds the number of pages. If nil (the default), the
    ///     field is `total_pages`, or one of the header fields `X-Total-Pages`, `X-WP-TotalPages` and
    ///     `X-Pagination-Page-Count`.
    ///   - total: The name of the body field or header field that holds the total number of items. If nil (the
    ///     default), the field is `total`, or one of the header fields `X-Total-Count`, `X-WP-Total` and
    ///     `X-Pagination-Total-Count`.
    /// - Returns: The style.
    public static func numbers(
        page: String = "page",
        size: String = "per_page",
        first: Int = 1,
        itemsPerPage: Int? = nil,
        pages: String? = nil,
        total: String? = nil
    ) -> PaginationStyle {
        let (pages, total) = (ListCount(pages, or: .pages), ListCount(total, or: .items))
        return PaginationStyle(
            fields: [page, size] + pages.fields + total.fields,
            start: [(page, first), (size, itemsPerPage)],
            required: pages.required.merging(total.required) { first, _ in first }
        ) { response in
            // The number in the query takes precedence, because a server could repeat its own number forever.
            let number = response.queryInt(page) ?? response.int(page) ?? first.addingSaturated(response.number - 1)
            let (given, asked) = (response.int(size), response.queryInt(size))
            var info = Info(
                number: number,
                itemsPerPage: given ?? asked,
                totalPages: pages.value(in: response),
                totalItems: total.value(in: response)
            )
            let position = ListPosition(
                index: number.subtractingSaturated(first),
                response: response,
                size: given ?? 0,
                askedSize: asked ?? 0
            )
            let (following, isLast) = number.addingReportingOverflow(1)
            if !isLast, position.hasMore(info) { info.next = .query([(page, following)]) }
            if number > first { info.previous = .query([(page, number - 1)]) }
            return info
        }
    }
}

/// A page's position in a list whose pages are numbered.
private struct ListPosition {
    /// The number of pages before this page.
    let index: Int
    let response: PageResponse
    /// The server's page size; 0 if it is unknown.
    let size: Int
    /// The requested page size; 0 if there is none.
    let askedSize: Int

    /// Returns whether there is a page after this page.
    func hasMore(_ info: PaginationStyle.Info) -> Bool {
        if let pages = info.totalPages { return index < pages.subtractingSaturated(1) }
        guard let total = info.totalItems else { return response.itemCount > 0 }
        if let received, total > 0, received >= total { return false }
        guard let size = size(total: total) else { return response.itemCount > 0 }
        return index < total.subtractingSaturated(1) / size
    }

    /// The number of items up to this page; nil unless the first page was requested.
    private var received: Int? {
        index == response.number - 1 ? response.previousItems.addingSaturated(response.itemCount) : nil
    }

    /// The page size, unless it is unknown or the pages are smaller, because the server has a limit.
    private func size(total: Int) -> Int? {
        if size > 0 { return size }
        guard askedSize > 0, index >= 0 else { return nil }
        let (before, isTooFar) = askedSize.multipliedReportingOverflow(by: index)
        let isOfThatSize = !isTooFar && response.itemCount == min(askedSize, total.subtractingSaturated(before))
        let (previous, isTooMuch) = askedSize.multipliedReportingOverflow(by: response.number - 1)
        let wereOfThatSize = !isTooMuch && previous > 0 && response.previousItems >= previous
        return isOfThatSize || wereOfThatSize ? askedSize : nil
    }
}
