/// Makes a page from a response and finds the next one, for `pages` and for `on(page:)`.
struct PageReader<Item: Decodable & _SendableMetatype>: Sendable {
    /// The field of the list; nil if the body is the list.
    let path: String?
    let style: PaginationStyle
    let limit: PageLimit

    /// Reads the response to what was requested, after the pages so far.
    ///
    /// `url` is what was requested, before redirects: no other origin gets the request's own pairs.
    ///
    /// - Returns: The page; and what to request next, why that is impossible, or nil after the last page.
    /// - Throws: `.decoding` if the body has no such list.
    func read(
        _ response: SimpleResponse,
        _ decoder: any ResponseDecoder,
        asked specification: RequestSpecification,
        at url: URL?,
        _ progress: PageProgress
    ) throws(SimpleNetworkingError) -> (Page<Item>, next: Result<PageProgress, SimpleNetworkingError>?) {
        let content = try content(of: response, decoder)
        let pageResponse = PageResponse(
            response: response,
            itemCount: content.items.count,
            number: progress.number,
            fields: content.fields,
            query: specification.query
        )
        let left = limit.items.map { max($0.subtractingSaturated(progress.items), 0) }
        let items = left.map { Array(content.items.prefix($0)) } ?? content.items
        var info = PageInfo()
        do {
            info = try style.read(pageResponse)
        } catch {
            let error = SimpleNetworkingError(error, head: response.request, response: response)
            return (Page(items: items, response: response, number: progress.number), .failure(error))
        }
        let page = Page(items: items, response: response, number: progress.number, info: info)
        let count = progress.items + content.items.count
        guard let step = info.next, limit.allowsMore(thanPages: progress.number, items: count) else {
            return (page, nil)
        }
        var progress = progress
        progress.number += 1
        progress.items = count
        progress.seen.insert(response.request.url.absoluteString)
        progress.seen.insert(Self.key(specification.path, specification.query))
        return (page, next(step, after: response, specification, at: url, progress))
    }

    private func content(
        of response: SimpleResponse,
        _ decoder: any ResponseDecoder
    ) throws(SimpleNetworkingError) -> PageContent<Item> {
        // These have no content (RFC 9110 §15.3.5).
        if response.data.isEmpty, response.httpStatus == 204 || response.httpStatus == 205 { return PageContent() }
        do {
            return try PageFields.$wanted.withValue((path, style.fields)) {
                try Secret.$memory.withValue(response.request.memory) {
                    try decoder.decode(PageContent<Item>.self, from: response.data)
                }
            }
        } catch {
            throw .decoding(.init(type: [Item].self, underlying: error), response)
        }
    }

    private func next(
        _ step: PageStep,
        after response: SimpleResponse,
        _ specification: RequestSpecification,
        at requested: URL?,
        _ progress: PageProgress
    ) -> Result<PageProgress, SimpleNetworkingError> {
        var progress = progress
        let address: PageProgress.Target
        switch step {
        case .query(let query):
            address = .init(path: specification.path, query: specification.query.replacing(with: query))
        case .link(let link, let keeping):
            do {
                let url = try URLParts(resolving: link, against: response.request.url).url()
                let kept = specification.query.keeping(keeping.contains)
                let isHome = requested.flatMap { Origin($0) }.map { $0 == Origin(url) } ?? false
                guard isHome || specification.body.isNone else {
                    let reason = "it leads to another origin, which must not get the request's body"
                    throw SimpleNetworkingError.invalidURL(link, reason: reason)
                }
                let (path, query) = URLParts.split(url.absoluteString[...])
                let own = Query.raw(String(query ?? ""))
                address = .init(path: String(path), query: isHome ? kept.replacing(with: own) : own)
            } catch {
                return .failure(SimpleNetworkingError(error, head: response.request, response: response))
            }
        }
        progress.target = address
        guard progress.seen.insert(Self.key(address.path, address.query)).inserted else {
            let failure = PaginationFailure.repeatedPage(step)
            return .failure(.failed(failure, response.request, response))
        }
        return .success(progress)
    }

    private static func key(_ path: String, _ query: Query) -> String {
        query.isEmpty ? path : path + "?" + query.encoded
    }
}
