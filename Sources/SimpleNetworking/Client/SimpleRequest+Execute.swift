extension SimpleRequest {
    /// Executes the request on a client, through its `execute(request:)`.
    ///
    /// A request that is being executed already only logs a warning; one that has ended is executed afresh, attempts
    /// counted from 1. A status handler that executes its own request retries it.
    @discardableResult
    public func execute(on client: SimpleNetworking) -> Self {
        submit(.execute, on: client)
        return self
    }

    /// Sends the request again on another client; see `retry()`.
    public func retry(on client: SimpleNetworking) { submit(.retry, on: client) }
}
