extension PaginationStyle {
    /// Follows links in the content, which hold all that the server needs, such as a token; null or no link means the end.
    ///
    /// The links are addresses, absolute or relative to the one that answered. To go backwards, give the fields the
    /// other way round.
    ///
    /// - Parameters:
    ///   - next: The field of the link to the next page. The default is `next`.
    ///   - previous: The field of the link to the page before. The default is `prev`.
    ///   - size: The field, or the name in the link's query, of the number of items on a page. The default is `limit`.
    ///   - keeping: Names of the request's own pairs that go along to the following pages, as long as those are on the
    ///     same origin. The default is none: a link is followed as it is.
    /// - Returns: The style.
    public static func links(
        next: String = "next",
        previous: String = "prev",
        size: String = "limit",
        keeping: [String] = []
    ) -> PaginationStyle {
        PaginationStyle(fields: [next, previous, size]) { answer in
            func step(_ field: String) -> PageStep? {
                answer[field].flatMap { $0.isEmpty ? nil : .link($0, keeping: keeping) }
            }
            let (next, previous) = (step(next), step(previous))
            let given = next?.value(of: size) ?? previous?.value(of: size) ?? answer.asked(size)
            return PageInfo(
                next: next,
                previous: previous,
                itemsPerPage: answer.int(size) ?? given.flatMap { Int($0) }
            )
        }
    }

    /// Follows the links of the `Link` header field (RFC 8288) with the relation `next`, as they are.
    ///
    /// - Parameter total: The header field that has the number of all items, such as `X-Total-Count`. The default is
    ///   none.
    /// - Returns: The style.
    public static func linkHeader(total: String? = nil) -> PaginationStyle {
        PaginationStyle { answer in
            let links = answer.response.links
            let count = total.flatMap { answer.response.headers[$0] }
            return PageInfo(
                next: links.target(of: "next").map { .link($0) },
                previous: (links.target(of: "prev") ?? links.target(of: "previous")).map { .link($0) },
                totalItems: count.flatMap { Int($0) }
            )
        }
    }

    /// Asks with the cursor that the last answer had; null, nothing or an empty text means the end.
    ///
    /// - Parameters:
    ///   - field: The field of the cursor, such as `meta.next_cursor`.
    ///   - parameter: The name that the cursor is sent with. The default is `cursor`.
    ///   - more: A field that is false on the last page, for servers that have a cursor there too. The default is none.
    /// - Returns: The style.
    public static func cursor(
        at field: String,
        parameter: String = "cursor",
        more: String? = nil
    ) -> PaginationStyle {
        PaginationStyle(fields: [field] + [more].compactMap { $0 }) { answer in
            let isLast = more.map { answer[$0] != "true" } ?? false
            guard !isLast, let cursor = answer[field], !cursor.isEmpty else { return PageInfo() }
            return PageInfo(next: .query([(parameter, cursor)]))
        }
    }
}
