extension SimpleNetworking {
    /// Joins a path and a query to the base URL, as the client does for each request.
    ///
    /// The path may have a query of its own; an absolute URL is used unchanged.
    ///
    /// - Throws: `.invalidURL`.
    public func url(forPath path: String, query: Query = Query()) throws(SimpleNetworkingError) -> URL {
        try base.joined(with: path, query)
    }

    /// Tells whether a URL may receive the client's credentials: its origin is the base URL's or a trusted one.
    ///
    /// The client checks header fields itself; call this before you add a credential to a query.
    public func trusts(_ url: URL) -> Bool {
        Origin(url).map { configuration.trusts($0, besides: baseURL) } ?? false
    }
}

extension SimpleNetworking.Configuration {
    /// Tells whether an origin may receive credentials.
    func trusts(_ origin: Origin, besides base: URL) -> Bool {
        origin == Origin(base) || trustedOrigins.contains(origin)
    }
}
