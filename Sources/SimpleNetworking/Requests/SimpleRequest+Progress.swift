/// Handlers for the events of a running request. Like all others they run where they were written, in order, one at a
/// time.
///
/// The other parameters are those of `on(isolation:success:owner:fileID:line:)`.
extension SimpleRequest {
    /// Adds a handler for the start of an execution; it takes what the first attempt sends.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        start handler: @escaping (RequestHead) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(
            .start,
            HandlerSite(actor, fileID, line, owner: owner),
            .notice { if case .event(.sent(let head, _)) = $0 { handler(head) } }
        )
    }

    /// Adds a handler for each further attempt; it takes what is sent and the attempt's number.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        retry handler: @escaping (RequestHead, Int) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(
            .retry,
            HandlerSite(actor, fileID, line, owner: owner),
            .notice { if case .event(.sent(let head, let attempt)) = $0 { handler(head, attempt) } }
        )
    }

    /// Adds a handler for each redirect that is followed; it takes the redirect's status and the new URL.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        redirect handler: @escaping (Int, URL) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(
            .redirect,
            HandlerSite(actor, fileID, line, owner: owner),
            .notice { if case .event(.redirected(let status, let url, _)) = $0 { handler(status, url) } }
        )
    }

    /// Adds a handler for the progress of what is sent and received.
    ///
    /// Slow progress handlers skip intermediate values. The last value of a success comes before all other handlers,
    /// and has all fractions at 1. The trace leaves these runs out.
    @discardableResult
    public func on(
        isolation actor: (any Actor)? = #isolation,
        progress handler: @escaping (TransferProgress) -> Void,
        owner: AnyObject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        add(
            .progress,
            HandlerSite(actor, fileID, line, owner: owner),
            .notice { if case .progress(let progress) = $0 { handler(progress) } }
        )
    }

    /// Returns the progress of the next execution, always the newest value; the stream ends with that execution.
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
