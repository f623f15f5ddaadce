extension SimpleRequest {
    /// Executes the request on a client, through its `execute(request:)`.
    ///
    /// If the request is being executed already, this only logs a warning; if it has ended, it is executed again, with
    /// attempts counted from 1. If a status handler executes its own request, that is a retry.
    @discardableResult
    public func execute(on client: SimpleNetworking) -> Self {
        submit(.execute, on: client)
        return self
    }

    /// Sends the request again on another client; see `retry()`.
    public func retry(on client: SimpleNetworking) { submit(.retry, on: client) }
}
