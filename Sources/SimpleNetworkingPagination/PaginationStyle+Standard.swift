import SimpleNetworkingSupport

extension PaginationStyle {
    /// Follows links in the body.
    ///
    /// A missing, null, empty or false link ends the list, and so do the strings `0`, `-1`, `false` and `null`.
    ///
    /// Links are absolute or relative to the response's URL. A link may be an object that holds it as `href`. To
    /// request pages in reverse order, swap `next` and `previous`.
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
        let (nextObject, previousObject) = (next + ".href", previous + ".href")
        return PaginationStyle(
            fields: [next, nextObject, previous, previousObject, size],
            required: [next: { $0.isKnown(next) || $0.isKnown(nextObject) }]
        ) { response in
            func step(_ fields: String...) -> Step? {
                fields.lazy.compactMap { response.pointer($0) }.first.map { .link($0, keeping: keeping) }
            }
            let (next, previous) = (step(next, nextObject), step(previous, previousObject))
            let given = next?.value(of: size) ?? previous?.value(of: size) ?? response.queryValue(of: size)
            let itemsPerPage = response.int(size) ?? given.flatMap { Int($0) }
            return Info(next: next, previous: previous, itemsPerPage: itemsPerPage)
        }
    }

    /// Follows the links with the relation `next` in the `Link` header field (RFC 8288).
    ///
    /// `total` is the name of the field that holds the total number of items, such as the header field `X-Total-Count`.
    /// When that many items have arrived, the list ends even if there is another link. The default is nil.
    public static func linkHeader(total: String? = nil) -> PaginationStyle {
        let count = ListCount(total)
        return PaginationStyle(fields: count.fields, required: count.required) { response in
            let links = response.response.links
            var info = Info(
                next: links.target(of: "next").map { .link($0) },
                previous: (links.target(of: "prev") ?? links.target(of: "previous")).map { .link($0) },
                totalItems: count.value(in: response)
            )
            // If items are deleted in the meantime, the total shrinks, but not the number of items to come.
            let total = max(info.totalItems ?? 0, response.largestTotal ?? 0)
            if total > 0, response.allItems >= total { info.next = nil }
            return info
        }
    }

    /// Sends the cursor from the last response.
    ///
    /// A missing, null, empty or false cursor ends the list.
    ///
    /// - Parameters:
    ///   - field: The name of the field that holds the cursor, such as `meta.next_cursor`, or the ID of the last item,
    ///     such as `data[-1].id`.
    ///   - parameter: The name of the query parameter for the cursor. The default is `cursor`.
    ///   - more: The name of a field that is true, or a positive number, unless this is the last page, for servers that
    ///     also send a cursor on the last page. The default is nil.
    ///   - ends: The strings or numbers that end the list, too. The default is `0`, `-1`, `false` and `null`.
    /// - Returns: The style.
    public static func cursor(
        at field: String,
        parameter: String = "cursor",
        more: String? = nil,
        ends: Set<String> = ["0", "-1", "false", "null"]
    ) -> PaginationStyle {
        var required: [String: @Sendable (PageResponse) -> Bool] = [field: { $0.isKnown(field) }]
        if let more { required[more] = { $0.fields[more] != nil } }
        return PaginationStyle(fields: [field] + [more].compactMap(\.self), required: required) { response in
            let isLast = more.map { !response.isTrue($0) } ?? false
            guard !isLast, let cursor = response.pointer(field, ends: ends) else { return Info() }
            return Info(next: .query([(parameter, cursor)]))
        }
    }

    /// Requests pages by offset, until a page has no items or all items have arrived.
    ///
    /// - Parameters:
    ///   - offset: The name of the query parameter for the number of items to skip. The default is `offset`.
    ///   - limit: The name of the query parameter for the page size. The default is `limit`.
    ///   - itemsPerPage: The page size. If nil (the default), the request or the server determines the page size.
    ///   - total: The name of the body field or header field that holds the total number of items. If nil (the
    ///     default), the field is `total`, or one of the header fields `X-Total-Count`, `X-WP-Total` and
    ///     `X-Pagination-Total-Count`.
    /// - Returns: The style.
    public static func offset(
        _ offset: String = "offset",
        limit: String = "limit",
        itemsPerPage: Int? = nil,
        total: String? = nil
    ) -> PaginationStyle {
        let total = ListCount(total, or: .items)
        return PaginationStyle(
            fields: total.fields,
            start: [(offset, 0), (limit, itemsPerPage)],
            required: total.required
        ) { response in
            let begin = max(response.queryInt(offset) ?? 0, 0)
            // The received items are counted, not the requested ones, because servers may have their own limits.
            let (end, isTooFar) = begin.addingReportingOverflow(response.itemCount)
            let size = response.queryInt(limit)
            var info = Info(itemsPerPage: size, totalItems: total.value(in: response))
            if !isTooFar, response.itemCount > 0, end < info.totalItems ?? .max {
                info.next = .query([(offset, end)])
            }
            if begin > 0 { info.previous = .query([(offset, max(begin.subtractingSaturated(size ?? begin), 0))]) }
            return info
        }
    }
}

extension PageResponse {
    /// The texts that servers write for a missing cursor or link.
    fileprivate static let ends: Set<String> = ["0", "-1", "false", "null"]

    /// The number of items on this page and the previous pages.
    var allItems: Int { previousItems.addingSaturated(itemCount) }

    /// Returns the link or cursor in a field, or nil if the field says that there is none.
    fileprivate func pointer(_ field: String, ends: Set<String> = ends) -> String? {
        guard case .text(let text)? = fields[field], !text.isEmpty, !ends.contains(text) else { return nil }
        return text
    }

    /// Returns whether a field can hold a link or a cursor: it has one, or says that there is none.
    fileprivate func isKnown(_ field: String) -> Bool {
        switch fields[field] {
        case .text, .null, .boolean(false): true
        case .other, .boolean(true), nil: false
        }
    }

    fileprivate func isTrue(_ field: String) -> Bool {
        guard let text = self[field] else { return false }
        return text.lowercased() == "true" || Double(text).map { $0 > 0 } ?? false
    }
}
