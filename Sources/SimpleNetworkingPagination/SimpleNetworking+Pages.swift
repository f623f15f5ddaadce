import SimpleNetworkingSupport

extension SimpleNetworking {
    /// Returns a list page by page.
    ///
    /// Each page is requested when it is awaited.
    ///
    /// ```swift
    /// let people = api.pages(of: Person.self, at: "results", for: SimpleNetworking.get("/people"), style: .links())
    /// for try await page in people { print(page.number, page.items.count) }
    /// ```
    ///
    /// For each page, the client calls `execute(request:)` with a copy of the request, including its handlers, for the
    /// page's URL. To stop, leave the loop. To cancel the request for the current page, cancel the task. Credentials
    /// are sent only to the base URL's origin and trusted origins, even if a link leads to another origin. `path` is
    /// the field that holds the list in the body, such as `data.items`; by default, the body is the list. Iterating
    /// throws `SimpleNetworkingError`. For a repeated page, the error is `.failed` with a `PaginationFailure`; for a
    /// link from `https` to `http`, it is `.redirect`.
    public func pages<Item: Decodable & _SendableMetatype>(
        of type: Item.Type = Item.self,
        at path: String? = nil,
        for request: SimpleRequest,
        style: PaginationStyle,
        limit: PaginationStyle.Limit = .none
    ) -> RequestSequence<Page<Item>> {
        let reader = PageReader<Item>(path: path, style: style, limit: limit)
        return RequestSequence {
            let series = RequestSeries(of: request, on: self)
            // The next page to request; nil at the end.
            var next: Result<any FollowUp, SimpleNetworkingError>?
            if limit.allowsMore(thanPages: 0, items: 0) { next = .success(PageProgress(start: style.start)) }
            return {
                defer { if next == nil { series.end() } }
                guard let page = try next.take()?.get() else { return nil }
                let (source, ignore) = try await series.send(page)
                guard let read = try reader.read(source) else { return nil }
                next = read.next
                for reason in read.ignored { ignore(reason) }
                return read.page
            }
        }
    }

    /// Returns a list page by page, for a typed request whose value is the list.
    public func pages<Item: Decodable & _SendableMetatype>(
        for request: Request<[Item]>,
        style: PaginationStyle,
        limit: PaginationStyle.Limit = .none,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> RequestSequence<Page<Item>> {
        pages(for: SimpleRequest(request, fileID: fileID, line: line), style: style, limit: limit)
    }

    /// Returns a list item by item.
    ///
    /// Each page is requested when its first item is awaited.
    ///
    /// ```swift
    /// let people = api.items(of: Person.self, at: "results", for: SimpleNetworking.get("/people"), style: .links())
    /// for try await person in people { print(person.name) }
    /// ```
    ///
    /// For the parameters, see `pages(of:at:for:style:limit:)`.
    public func items<Item: Decodable & _SendableMetatype>(
        of type: Item.Type = Item.self,
        at path: String? = nil,
        for request: SimpleRequest,
        style: PaginationStyle,
        limit: PaginationStyle.Limit = .none
    ) -> RequestSequence<Item> {
        let pages = pages(of: type, at: path, for: request, style: style, limit: limit)
        return RequestSequence {
            var pages = pages.makeAsyncIterator()
            var items: ArraySlice<Item> = []
            return {
                // Empty pages are skipped.
                while items.isEmpty {
                    guard let page = try await pages.next() else { return nil }
                    items = page.items[...]
                }
                return items.removeFirst()
            }
        }
    }

    /// Returns a list item by item, for a typed request whose value is the list.
    public func items<Item: Decodable & _SendableMetatype>(
        for request: Request<[Item]>,
        style: PaginationStyle,
        limit: PaginationStyle.Limit = .none,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> RequestSequence<Item> {
        items(for: SimpleRequest(request, fileID: fileID, line: line), style: style, limit: limit)
    }
}
