import SimpleNetworkingSupport

/// Creates a page from a response and finds the next page, for `pages` and for `on(page:)`.
struct PageReader<Item: Decodable & _SendableMetatype>: Sendable {
    struct Reading {
        var page: Page<Item>
        /// The next page to request, the error that prevents this request, or nil after the last page.
        var next: Result<any FollowUp, SimpleNetworkingError>?
        /// Which fields of the style had no effect, because no page had them; empty before the end.
        var ignored: [String] = []
    }

    /// The field that holds the list; nil if the body is the list.
    let path: String?
    let style: PaginationStyle
    let limit: PaginationStyle.Limit

    /// Reads the response to a page request.
    ///
    /// The result is nil if there is no page to read.
    ///
    /// - Throws: `.decoding` if the body doesn't contain such a list.
    func read(_ source: ValueSource) throws(SimpleNetworkingError) -> Reading? {
        guard let response = source.response, let progress = source.followUp as? PageProgress else { return nil }
        let content = try content(of: response, source.decoder)
        let left = limit.items.map { max($0.subtractingSaturated(progress.items), 0) }
        let items = left.map { Array(content.items.prefix($0)) } ?? content.items
        var reading = Reading(page: Page(items: items, response: response, number: progress.number))
        let page = PageResponse(
            response: response,
            itemCount: content.items.count,
            number: progress.number,
            fields: content.fields,
            query: source.target.query,
            previousItems: progress.items,
            largestTotal: progress.largestTotal
        )
        do {
            reading.page.info = try style.read(page)
            guard limit.allowsMore(thanPages: progress.number, items: page.allItems) else { return reading }
            let next = try next(after: page, reading.page.info, source, progress)
            guard next.target == nil else {
                reading.next = .success(next)
                return reading
            }
            reading.page.info.next = nil
            guard page.allItems > 0, let missing = next.missingFields else { return reading }
            reading.ignored = missing.sorted().map { "the list has ended, and no page had the field “\($0)”" }
        } catch {
            reading.next = .failure(SimpleNetworkingError(error, head: response.request, response: response))
        }
        return reading
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
            return try ListField.$wanted.withValue((path, style.fields)) {
                try response.decodeStrictly(ListContent<Item>.self, using: decoder)
            }
        } catch {
            throw .decoding(.init(type: [Item].self, underlying: error), response)
        }
    }

    /// Returns the position after a page, without a target after the last page.
    private func next(
        after page: PageResponse,
        _ info: PaginationStyle.Info,
        _ source: ValueSource,
        _ progress: PageProgress
    ) throws -> PageProgress {
        var next = progress
        next.number = page.number + 1
        next.items = page.allItems
        next.target = nil
        next.largestTotal = [progress.largestTotal, info.totalItems].compactMap(\.self).max()
        next.missingFields = progress.missingFields ?? Set(style.required.keys)
        if next.missingFields?.isEmpty == false {
            next.missingFields?.subtract(style.required.filter { $0.value(page) }.keys)
        }
        guard let step = info.next else { return next }
        let target = try target(of: step, after: page.response, source)
        let visited = progress.visited
        // Redirects and signatures may change the URL that was asked for.
        let urls = [page.response.request.url, source.url].compactMap { $0?.absoluteString.pageKey }
        visited.note(urls + [source.target.key], number: page.number)
        if visited.contains(target.key, upTo: page.number) {
            // Some servers repeat the last cursor with an empty page.
            guard page.itemCount == 0 else { throw PaginationFailure.repeatedPage(step) }
            return next
        }
        next.target = target
        return next
    }

    private func target(
        of step: PaginationStyle.Step,
        after response: SimpleResponse,
        _ source: ValueSource
    ) throws -> RequestTarget {
        let asked = source.target
        switch step {
        case .query(let query):
            return RequestTarget(path: asked.path, query: asked.query.replacing(with: query))
        case .link(let link, let keeping):
            let written = try URLParts(resolving: link, against: response.request.written.text).written()
            let url = written.url
            if let reason = source.redirects.refusal(of: url, from: response.request.url) {
                throw SimpleNetworkingError.redirect(reason: reason, response)
            }
            let isHome = source.url.flatMap { Origin($0) }.map { $0 == Origin(url) } ?? false
            guard isHome || !source.hasBody else {
                let reason = "it leads to another origin, which must not get the request's body"
                throw SimpleNetworkingError.invalidURL(link, reason: reason)
            }
            let (path, query) = URLParts.split(written.text[...])
            let own = Query.raw(String(query ?? ""))
            let kept = asked.query.keeping(keeping.contains)
            return RequestTarget(path: String(path), query: isHome ? kept.replacing(with: own) : own)
        }
    }
}

extension RequestTarget {
    fileprivate var key: String { (query.isEmpty ? path : path + "?" + query.encoded).pageKey }
}

extension String {
    /// The URL with all characters encoded that may be: servers write one page's URL in several ways.
    fileprivate var pageKey: String {
        PercentEncoding.encode(self, keeping: PercentEncoding.query, keepsTriplets: true)
    }
}
