import SimpleNetworkingSupport

/// Tracks the position in a list that is requested page by page.
struct PageProgress: FollowUp {
    /// The pairs for the first page's query; the request's own pairs replace those with the same names.
    let start: Query
    /// The requested page; nil for the first page.
    var target: RequestTarget?
    /// The number of the requested page, starting at 1.
    var number = 1
    /// The number of items on the previous pages.
    var items = 0
    /// The largest total number of items that a page has named.
    var largestTotal: Int?
    /// The fields of the style that no page had so far; nil before the first page.
    var missingFields: Set<String>?
    /// The pages requested so far.
    let visited = VisitedPages()

    init(start: Query) { self.start = start }

    var restarted: any FollowUp { PageProgress(start: start) }

    var note: any RequestNote { PageNote(number: number) }

    func target(insteadOf written: RequestTarget) -> RequestTarget {
        if let target { return target }
        let (path, query) = URLParts.split(written.path[...])
        let own = Query.raw(String(query ?? "")) + written.query
        return RequestTarget(path: String(path), query: start.replacing(with: own))
    }
}

extension PageProgress: Redacted {
    /// The position without URLs, which may contain tokens.
    package var shownMembers: KeyValuePairs<String, Any> { ["number": number, "items": items] }
}
