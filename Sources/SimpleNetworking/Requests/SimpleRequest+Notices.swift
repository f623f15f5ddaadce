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
        return add(.notice(.start, site.with { if case .event(.sent(let head, _)) = $0 { handler(head) } }))
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
        return add(
            .notice(.retry, site.with { if case .event(.sent(let head, let attempt)) = $0 { handler(head, attempt) } })
        )
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
            .notice(
                .redirect,
                site.with { if case .event(.redirected(let status, let url, _)) = $0 { handler(status, url) } }
            )
        )
    }

    /// Adds a handler for the progress of what is sent and received.
    ///
    /// It runs where it was written, as often as it keeps up with: of several values only the newest one waits for it.
    /// The last one of a success comes before all other handlers, and has all fractions at 1. In a trace these runs are
    /// left out.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        progress handler: @escaping (TransferProgress) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        let site = Isolated(actor: actor, fileID: fileID, line: line, owner: owner.map(Owner.init), body: ())
        return add(.notice(.progress, site.with { if case .progress(let progress) = $0 { handler(progress) } }))
    }

    /// Gives the progress of the executions that begin from now on, always the newest; it ends with the first of them.
    ///
    /// ```swift
    /// let request = SimpleNetworking.get("/film.mp4").download(to: file)
    /// let progress = request.progressUpdates()
    /// request.execute(on: api)
    /// for await update in progress { print(update.fractionReceived ?? 0) }
    /// ```
    public func progressUpdates() -> AsyncStream<TransferProgress> {
        let (updates, continuation) = AsyncStream.makeStream(
            of: TransferProgress.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        on(isolation: nil, progress: { continuation.yield($0) }).on(
            isolation: nil,
            completion: { _ in continuation.finish() }
        )
        return updates
    }
}
