extension SimpleNetworking {
    /// Gives a list page by page, each asked for when it is wanted.
    ///
    /// ```swift
    /// let people = api.pages(of: Person.self, at: "results", for: SimpleNetworking.get("/people"), style: .links())
    /// for try await page in people { print(page.number, page.items.count) }
    /// ```
    ///
    /// Each page is a request of its own that passes `execute(request:)`: a copy of the one that is given, with its method,
    /// header fields, body, tags, options and handlers, for the page's address. To stop, leave the loop; to stop what is
    /// on its way, cancel the task. Credentials never go to another origin than the client's, wherever a link leads.
    ///
    /// - Parameters:
    ///   - type: The type of an item.
    ///   - path: The field of the list in the content, such as `results` or `data.items`. The default is nil: the content
    ///     is the list.
    ///   - request: The request for the first page.
    ///   - style: How the server divides the list.
    ///   - limit: How far to go. The default is to the last page.
    /// - Returns: The pages. Going through them throws `SimpleNetworkingError`, also for a next page that was asked for
    ///   before: `.failed` with a `PaginationFailure`.
    public func pages<Item: Decodable & SendableMetatype>(
        of type: Item.Type = Item.self,
        at path: String? = nil,
        for request: SimpleRequest,
        style: PaginationStyle,
        limit: PageLimit = .none
    ) -> Pages<Item> {
        Pages(client: self, request: request, reader: PageReader(path: path, style: style, limit: limit))
    }

    /// Gives a list page by page for a typed request whose answer is the list; see the method for untyped ones.
    public func pages<Item: Decodable & SendableMetatype>(
        for request: Request<[Item]>,
        style: PaginationStyle,
        limit: PageLimit = .none,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Pages<Item> {
        pages(for: SimpleRequest(request, fileID: fileID, line: line), style: style, limit: limit)
    }

    /// Gives a list item by item; a page is asked for when its first item is wanted.
    ///
    /// ```swift
    /// let people = api.items(of: Person.self, at: "results", for: SimpleNetworking.get("/people"), style: .links())
    /// for try await person in people { print(person.name) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of an item.
    ///   - path: The field of the list in the content. The default is nil: the content is the list.
    ///   - request: The request for the first page.
    ///   - style: How the server divides the list.
    ///   - limit: How far to go. The default is to the last item.
    /// - Returns: The items; see `pages(of:at:for:style:limit:)`.
    public func items<Item: Decodable & SendableMetatype>(
        of type: Item.Type = Item.self,
        at path: String? = nil,
        for request: SimpleRequest,
        style: PaginationStyle,
        limit: PageLimit = .none
    ) -> PagedItems<Item> {
        PagedItems(pages: pages(of: type, at: path, for: request, style: style, limit: limit))
    }

    /// Gives a list item by item for a typed request whose answer is the list; see the method for untyped ones.
    public func items<Item: Decodable & SendableMetatype>(
        for request: Request<[Item]>,
        style: PaginationStyle,
        limit: PageLimit = .none,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> PagedItems<Item> {
        PagedItems(pages: pages(for: request, style: style, limit: limit, fileID: fileID, line: line))
    }
}
