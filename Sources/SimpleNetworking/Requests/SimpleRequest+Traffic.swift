/// How a request behaves among the client's others.
extension SimpleRequest {
    /// Sets how soon the request is sent if it has to wait for others; the default is `.normal`.
    ///
    /// Requests wait only where ``SimpleNetworking/Configuration/traffic`` has limits.
    @discardableResult public func priority(_ priority: RequestPriority) -> Self { specify { $0.priority = priority } }

    /// Sets whether the request may share the transfer of an equal request in flight.
    ///
    /// The default is the client's ``TrafficRules/coalesces``.
    @discardableResult public func coalesced(_ coalesces: Bool = true) -> Self { specify { $0.coalesces = coalesces } }

    /// Ends the client's older requests with the same key when this one begins, so that the newest wins.
    ///
    /// ```swift
    /// api.get("/search", query: ["q": text]) {
    ///     $0.replacing("search").on(success: [User].self) { users in print(users.map(\.name)) }
    /// }
    /// ```
    ///
    /// The older request ends with `.cancelled`, and its handlers are told before any of this one's run.
    @discardableResult public func replacing(_ key: String) -> Self { specify { $0.replacementKey = key } }
}
