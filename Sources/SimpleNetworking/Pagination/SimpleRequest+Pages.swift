extension SimpleRequest {
    /// Adds a handler for pages: it gets each page of a list, in order, and returns whether it wants the next one.
    ///
    /// Each page is requested when the previous one was handled. All pages are one execution, which ends once, through
    /// the usual handlers: with success after the last wanted page, or with the error of the page that failed. Success
    /// and completion handlers get the last page's response. Status handlers get each page's response first, so that
    /// they can refresh a token. All pages have the request's method, header fields, body, tags and options. Attempts
    /// are counted for each page; the deadline applies to all pages together. A repeated page link ends the execution
    /// with `PaginationFailure`.
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
    /// - Parameters:
    ///   - actor: Where the handler runs. The default is the actor whose code calls this; nil means the callback queue.
    ///   - style: How the server divides the list.
    ///   - type: The type of an item.
    ///   - path: The field of the list in the body, such as `results` or `data.items`. The default is nil: the body is
    ///     the list.
    ///   - limit: The most pages or items. The default is no limit.
    ///   - handler: Takes a page; returns true for the next one, false to stop.
    ///   - owner: An object that the handler is bound to; when it was released, no page is requested or handled. The
    ///     default is none.
    ///   - fileID: Where the handler was written, for the trace.
    ///   - line: Where the handler was written, for the trace.
    /// - Returns: The request. A second handler for pages ends it with `.invalidRequest`.
    @discardableResult
    public func on<Item: Decodable & _SendableMetatype>(
        isolation actor: (any Actor)? = #isolation,
        page style: PaginationStyle,
        of type: Item.Type = Item.self,
        at path: String? = nil,
        limit: PageLimit = .none,
        _ handler: @escaping (Page<Item>) -> Bool,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        let reader = PageReader<Item>(path: path, style: style, limit: limit)
        let isFirst = state.withLock { state in
            defer { state.pages = state.pages ?? PageProgress(start: style.start) }
            return state.pages == nil
        }
        guard isFirst else {
            let reason = "it has two handlers for pages, which would have to agree on what the next page is"
            return specify { $0.mistake = $0.mistake ?? .invalidRequest(reason: reason, nil) }
        }
        return add(.page, actor, fileID, line, owner) { (source) throws(SimpleNetworkingError) in
            guard let response = source.response, let pages = source.pages else { return nil }
            let (page, next) = try reader.read(
                response,
                source.decoder,
                asked: source.specification,
                at: source.url,
                pages
            )
            return .page({ handler(page) }, next: next)
        }
    }
}
