extension SimpleNetworking {
    /// Gives a list page by page; each page is requested when it is wanted.
    ///
    /// ```swift
    /// let people = api.pages(of: Person.self, at: "results", for: SimpleNetworking.get("/people"), style: .links())
    /// for try await page in people { print(page.number, page.items.count) }
    /// ```
    ///
    /// Each page is a copy of the request with the page's URL, handlers included, and passes `execute(request:)`. To
    /// stop, leave the loop; to cancel the current page, cancel the task. Credentials stay on the client's origin, even
    /// when a link leads elsewhere. `path` is the field of the list in the body, such as `data.items`; by default the
    /// body is the list. Iterating throws `SimpleNetworkingError`; a repeated next page is `.failed` with a
    /// `PaginationFailure`.
    public func pages<Item: Decodable & _SendableMetatype>(
        of type: Item.Type = Item.self,
        at path: String? = nil,
        for request: SimpleRequest,
        style: PaginationStyle,
        limit: PaginationStyle.Limit = .none
    ) -> RequestSequence<Page<Item>> {
        let reader = PageReader<Item>(path: path, style: style, limit: limit)
        return RequestSequence {
            let request = request.copy()
            // All pages belong to one account.
            var account: AccountOfClient?
            // What to request next; nil at the end.
            var next: Result<PageProgress, SimpleNetworkingError>?
            if limit.allowsMore(thanPages: 0, items: 0) { next = .success(PageProgress(start: style.start)) }
            return {
                guard let progress = try next.take()?.get() else { return nil }
                let asked = request.copy()
                asked.specify { $0 = progress.specification(for: $0) }
                asked.keep(account)
                let response = try await self.send(asked)
                account = asked.account
                let specification = asked.specification
                let decoder = self.decoder(for: asked)
                let page: Page<Item>
                (page, next) = try reader.read(
                    response,
                    decoder,
                    asked: specification,
                    at: asked.requestedURL,
                    progress
                )
                return page
            }
        }
    }

    /// Gives a list page by page, for a typed request whose value is the list.
    public func pages<Item: Decodable & _SendableMetatype>(
        for request: Request<[Item]>,
        style: PaginationStyle,
        limit: PaginationStyle.Limit = .none,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> RequestSequence<Page<Item>> {
        pages(for: SimpleRequest(request, fileID: fileID, line: line), style: style, limit: limit)
    }

    /// Gives a list item by item; each page is requested when its first item is wanted.
    ///
    /// ```swift
    /// let people = api.items(of: Person.self, at: "results", for: SimpleNetworking.get("/people"), style: .links())
    /// for try await person in people { print(person.name) }
    /// ```
    ///
    /// The parameters are those of `pages(of:at:for:style:limit:)`.
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

    /// Returns the items of a list one by one, for a typed request whose value is the list.
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
