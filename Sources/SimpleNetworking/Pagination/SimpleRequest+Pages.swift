extension SimpleRequest {
    /// Adds a handler for pages: it gets each page of a list, in order, and says whether it wants the next one.
    ///
    /// Each page is asked for when the one before is handled. The pages are one execution: it ends once, through the
    /// usual handlers, with success when there is no further page or none is wanted, or with the error of the page that
    /// failed; success and completion handlers get the last page's response. Status handlers look at each page's answer
    /// before this one does, so that a renewal goes unnoticed. All pages have the request's method, header fields, body,
    /// tags and options; attempts are counted for each page, the deadline holds for all of them together. A next page
    /// that was asked for before ends the execution with `PaginationFailure`.
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
    ///   - path: The field of the list in the content, such as `results` or `data.items`. The default is nil: the content
    ///     is the list.
    ///   - limit: How far to go. The default is to the last page.
    ///   - handler: Takes a page; returns true for the next one, false for no more. It runs where it was written.
    ///   - owner: An object that the handler is bound to: no page is handled or asked for when that is gone. The default
    ///     is none.
    ///   - fileID: Where the handler was written, for the trace.
    ///   - line: Where the handler was written, for the trace.
    /// - Returns: The request. A second handler for pages is a mistake, which ends it with `.invalidRequest`.
    @discardableResult
    public func on<Item: Decodable & SendableMetatype>(
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
        let handler = Isolated(actor: actor, fileID: fileID, line: line, owner: owner.map(Owner.init), body: handler)
        let reader = PageReader<Item>(path: path, style: style, limit: limit)
        let isFirst = core.state.withLock { state in
            defer { state.pages = state.pages ?? PageProgress(start: style.start) }
            return state.pages == nil
        }
        guard isFirst else {
            let reason = "it has two handlers for pages, which would have to agree on what the next page is"
            return specify { $0.mistake = $0.mistake ?? .invalidRequest(reason: reason, nil) }
        }
        return add(
            .value(
                ValueHandler(use: .page, site: handler.with(())) { (source) throws(SimpleNetworkingError) in
                    guard let response = source.response, let pages = source.pages else { return nil }
                    let (page, next) = try reader.read(response, source.decoder, asked: source.specification, pages)
                    return .page(handler.with { handler.body(page) }, next: next)
                }
            )
        )
    }
}
