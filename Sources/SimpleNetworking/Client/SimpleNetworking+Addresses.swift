extension SimpleNetworking {
    /// Joins a path and a query to the base URL, as the addresses of requests are made.
    ///
    /// - Parameters:
    ///   - path: A path, which may have a query of its own; or an absolute address, which is taken as it is.
    ///   - query: Further pairs. The default is none.
    /// - Returns: The address.
    /// - Throws: `.invalidURL`.
    public func url(forPath path: String, query: Query = Query()) throws(SimpleNetworkingError) -> URL {
        try base.joined(with: path, query)
    }

    /// Tells whether an address may see the client's credentials: it has the base URL's origin, or a trusted one.
    ///
    /// Header fields are kept from all others without asking; ask it before putting a credential into a query.
    public func trusts(_ url: URL) -> Bool {
        Origin(url).map { configuration.trusts($0, besides: baseURL) } ?? false
    }
}

extension SimpleNetworking.Configuration {
    /// The one rule of who may see credentials.
    func trusts(_ origin: Origin, besides base: URL) -> Bool {
        origin == Origin(base) || trustedOrigins.contains(origin)
    }
}
