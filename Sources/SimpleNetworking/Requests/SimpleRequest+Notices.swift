/// Handlers of what happens on the way; like all others they run where they were written, in order, never two at a time.
extension SimpleRequest {
    /// Adds a handler for the start of an execution: its first attempt is sent.
    ///
    /// It runs where it was written.
    ///
    /// - Parameters:
    ///   - actor: Where the handler runs. The default is the actor whose code calls this; nil means the callback queue.
    ///   - handler: Takes what is sent.
    ///   - owner: An object that the handler is bound to: it is left out when that is gone. The default is none.
    ///   - fileID: Where the handler was written, for the trace.
    ///   - line: Where the handler was written, for the trace.
    /// - Returns: The request.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        start handler: @escaping (RequestHead) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        let site = Isolated(actor: actor, fileID: fileID, line: line, owner: owner.map(Owner.init), body: ())
        return add(.notice(.start, site.with { if case .sent(let head, _) = $0 { handler(head) } }))
    }

    /// Adds a handler for each further attempt, whoever asked for it; it takes what is sent and the attempt's number.
    ///
    /// It runs where it was written.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        retry handler: @escaping (RequestHead, Int) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        let site = Isolated(actor: actor, fileID: fileID, line: line, owner: owner.map(Owner.init), body: ())
        return add(.notice(.retry, site.with { if case .sent(let head, let attempt) = $0 { handler(head, attempt) } }))
    }

    /// Adds a handler for each redirect that is followed; it takes the redirect's status and the address that follows.
    ///
    /// It runs where it was written.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        redirect handler: @escaping (Int, URL) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        let site = Isolated(actor: actor, fileID: fileID, line: line, owner: owner.map(Owner.init), body: ())
        return add(
            .notice(.redirect, site.with { if case .redirected(let status, let url, _) = $0 { handler(status, url) } })
        )
    }
}
