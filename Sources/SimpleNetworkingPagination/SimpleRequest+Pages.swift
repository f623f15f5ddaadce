import SimpleNetworkingSupport

extension SimpleRequest {
    /// Adds a handler that receives each page of a list, in order, and returns whether to request the next page.
    ///
    /// Each page is requested only after the previous page has been handled. All pages belong to one execution. The
    /// execution ends once, with success after the last requested page, or with the error of the page that failed.
    /// Success and completion handlers receive the last page's response. Status handlers receive each page's response
    /// before the page handler does, so that they can refresh a token. Every page is requested with the original
    /// request's method, header fields, body, tags and options. Attempts are counted separately for each page, and the
    /// deadline applies to all pages together. A repeated page link ends the execution with `PaginationFailure`, and a
    /// link from `https` to `http` with `.redirect`.
    ///
    /// ```swift
    /// client.get("/people") {
    ///     $0.on(page: .links(), of: Person.self, at: "results") { page in
    ///         people += page.items
    ///         return people.count < 100
    ///     }
    ///     .on(error: { error in print(error) })
    /// }
    /// ```
    ///
    /// The handler runs on the actor whose code adds it, or on the callback queue if it is added outside any actor.
    /// `path` is the field that holds the list in the body, such as `data.items`; by default, the body is the list.
    /// After `owner` has been deallocated, no further pages are requested or handled. A second page handler ends the
    /// request with `.invalidRequest`.
    @discardableResult
    public func on<Item: Decodable & _SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        page style: PaginationStyle,
        of type: Item.Type = Item.self,
        at path: String? = nil,
        limit: PaginationStyle.Limit = .none,
        _ handler: @escaping (Page<Item>) -> Bool,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        let reader = PageReader<Item>(path: path, style: style, limit: limit)
        return add(
            handlerFor: "page",
            beginningWith: PageProgress(start: style.start),
            conflict: "it has two handlers for pages, which would have to agree on what the next page is",
            at: CallSite(fileID, line, isolation: actor, owner: owner)
        ) { (source) throws(SimpleNetworkingError) in
            guard let read = try reader.read(source) else { return nil }
            return { FollowUpDecision(continues: handler(read.page), with: read.next, ignored: read.ignored) }
        }
    }
}
