import SimpleNetworkingSupport

extension SimpleRequest {
    /// Cancels the client's older requests with the same key when this request begins.
    ///
    /// ```swift
    /// api.get("/search", query: ["q": text]) {
    ///     $0.replacing("search").on(success: [User].self) { users in print(users.map(\.name)) }
    /// }
    /// ```
    ///
    /// An older request ends with `.cancelled`, and its handlers are called before any handler of this request. A request
    /// is older if you executed it earlier, even if its next attempt or connection would begin later.
    @discardableResult public func replacing(_ key: String) -> Self {
        specify { $0.replacementKey = key }
        // A client that holds the request back may choose the key.
        if let execution, let client, execution.isSubmitted { execution.join(key, of: client) }
        return self
    }
}
