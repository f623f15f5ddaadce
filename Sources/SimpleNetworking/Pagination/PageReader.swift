/// Creates a page from a response and finds the next page, for `pages` and for `on(page:)`.
struct PageReader<Item: Decodable & _SendableMetatype>: Sendable {
    /// The field that holds the list; nil if the body is the list.
    let path: String?
    let style: PaginationStyle
    let limit: PaginationStyle.Limit

    /// Reads the response to a page request.
    ///
    /// `url` is the requested URL, before redirects. Other origins don't receive the request's own pairs.
    ///
    /// - Returns: The page, and either the next page to request, the error that prevents this request, or nil after the
    ///   last page.
    /// - Throws: `.decoding` if the body doesn't contain such a list.
    func read(
        _ response: SimpleResponse,
        _ decoder: any ResponseDecoder,
        asked specification: RequestSpecification,
        at url: URL?,
        _ progress: PageProgress
    ) throws(SimpleNetworkingError) -> (page: Page<Item>, next: Result<PageProgress, SimpleNetworkingError>?) {
        let content = try content(of: response, decoder)
        let left = limit.items.map { max($0.subtractingSaturated(progress.items), 0) }
        let items = left.map { Array(content.items.prefix($0)) } ?? content.items
        var page = Page(items: items, response: response, number: progress.number)
        var next = progress
        next.number = progress.number + 1
        next.items = progress.items + content.items.count
        do {
            page.info = try style.read(
                PageResponse(
                    response: response,
                    itemCount: content.items.count,
                    number: progress.number,
                    fields: content.fields,
                    query: specification.query
                )
            )
            guard let step = page.info.next, limit.allowsMore(thanPages: progress.number, items: next.items) else {
                return (page, nil)
            }
            let target = try target(of: step, after: response, specification, at: url)
            next.target = target
            let own = PageProgress.Target(path: specification.path, query: specification.query)
            let visited = progress.visited
            visited.note([response.request.url.absoluteString, own.key], number: progress.number)
            if visited.contains(target.key, upTo: progress.number) { throw PaginationFailure.repeatedPage(step) }
            return (page, .success(next))
        } catch {
            return (page, .failure(SimpleNetworkingError(error, head: response.request, response: response)))
        }
    }

    private func content(
        of response: SimpleResponse,
        _ decoder: any ResponseDecoder
    ) throws(SimpleNetworkingError) -> ListContent<Item> {
        // A 204 or 205 has no content (RFC 9110 §15.3.5).
        if response.data.isEmpty, response.httpStatus == 204 || response.httpStatus == 205 {
            return ListContent(items: [], fields: [:])
        }
        do {
            return try ListFields.$wanted.withValue((path, style.fields)) {
                try Secret.$memory.withValue(response.request.memory) {
                    try decoder.decode(ListContent<Item>.self, from: response.data)
                }
            }
        } catch {
            throw .decoding(.init(type: [Item].self, underlying: error), response)
        }
    }

    private func target(
        of step: PaginationStyle.Step,
        after response: SimpleResponse,
        _ specification: RequestSpecification,
        at requested: URL?
    ) throws -> PageProgress.Target {
        switch step {
        case .query(let query):
            return .init(path: specification.path, query: specification.query.replacing(with: query))
        case .link(let link, let keeping):
            let url = try URLParts(resolving: link, against: response.request.url).url()
            let isHome = requested.flatMap { Origin($0) }.map { $0 == Origin(url) } ?? false
            guard isHome || specification.body.isNone else {
                let reason = "it leads to another origin, which must not get the request's body"
                throw SimpleNetworkingError.invalidURL(link, reason: reason)
            }
            let (path, query) = URLParts.split(url.absoluteString[...])
            let own = Query.raw(String(query ?? ""))
            let kept = specification.query.keeping(keeping.contains)
            return .init(path: String(path), query: isHome ? kept.replacing(with: own) : own)
        }
    }
}

extension PageProgress.Target {
    fileprivate var key: String { query.isEmpty ? path : path + "?" + query.encoded }
}
