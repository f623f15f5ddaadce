/// The position in a list that is requested page by page.
struct PageProgress: Sendable {
    /// Takes the place of a request's own path and query.
    struct Target: Sendable {
        var path: String
        var query: Query
    }

    /// Pairs for the first page, unless the request names them itself.
    let start: Query
    /// The requested page; nil for the first.
    var target: Target?
    /// The number of the requested page, from 1.
    var number = 1
    /// The count of items on the pages before.
    var items = 0
    /// The URLs that were requested.
    var seen: Set<String> = []

    init(start: Query) { self.start = start }

    /// The position before the first page.
    var restarted: PageProgress { PageProgress(start: start) }

    /// What is requested now by a request that says all the rest.
    func specification(for request: RequestSpecification) -> RequestSpecification {
        var specification = request
        if let target {
            (specification.path, specification.query) = (target.path, target.query)
        } else {
            let (path, query) = URLParts.split(request.path[...])
            let own = Query.raw(String(query ?? "")) + request.query
            (specification.path, specification.query) = (String(path), start.replacing(with: own))
        }
        return specification
    }
}

extension PageProgress: Redacted {
    /// URLs may hold tokens.
    var shownMembers: KeyValuePairs<String, Any> { ["number": number, "items": items] }
}
