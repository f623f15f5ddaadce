import SimpleNetworking

extension SimpleRequest {
    /// Waits for the end of the execution that runs, when all handlers that were added before have run.
    ///
    /// After the end it gives the outcome. A request that was never executed has no end: this then waits for it.
    ///
    /// - Returns: The outcome, which other handlers heard of too.
    @discardableResult
    nonisolated public func ended() async -> Result<SimpleResponse, SimpleNetworkingError> {
        await withCheckedContinuation { continuation in
            let waiting = Protected(Optional(continuation))
            // The handler stays with the request, which may be executed again.
            on(
                isolation: nil,
                completion: { outcome in
                    let continuation = waiting.withLock { waiting in
                        defer { waiting = nil }
                        return waiting
                    }
                    // Not within the handler: whoever goes on at once would execute a request that has yet to end.
                    DispatchQueue.global().async { continuation?.resume(returning: outcome) }
                }
            )
        }
    }
}
