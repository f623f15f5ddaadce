/// Options that determine how a request shares the client's traffic limits and transfers with other requests.
extension SimpleRequest {
    /// Sets the priority of the request while it waits to be sent; the default is `.normal`.
    ///
    /// Requests wait only if ``SimpleNetworking/Configuration/traffic`` sets limits. The client also passes the
    /// priority to URLSession as a hint.
    @discardableResult public func priority(_ priority: RequestPriority) -> Self { specify { $0.priority = priority } }

    /// Sets whether the request may share the transfer of an equal request in flight.
    ///
    /// The default is the value of the client's ``TrafficRules/coalesces``.
    @discardableResult public func coalesced(_ coalesces: Bool = true) -> Self { specify { $0.coalesces = coalesces } }

    /// Cancels the client's older requests with the same key when this request begins.
    ///
    /// ```swift
    /// api.get("/search", query: ["q": text]) {
    ///     $0.replacing("search").on(success: [User].self) { users in print(users.map(\.name)) }
    /// }
    /// ```
    ///
    /// An older request ends with `.cancelled`, and its handlers are called before any handler of this request. A request
    /// is older if you executed it earlier, even if its next attempt, page or connection would begin later.
    @discardableResult public func replacing(_ key: String) -> Self {
        specify { $0.replacementKey = key }
        // A client that holds the request back may choose the key.
        if let execution, let client, execution.isSubmitted { execution.join(key, of: client) }
        return self
    }
}
