import SimpleNetworkingSupport

extension SimpleNetworking {
    /// Joins a path and a query to the base URL, and keeps the text that `URL` can't hold.
    func writtenURL(for specification: RequestSpecification) throws(SimpleNetworkingError) -> WrittenURL {
        try base.joined(with: specification.path, specification.query)
    }

    /// Returns the URL of the hook, with the text that `URL` can't hold unless the hook has changed the URL.
    func hookedURL(for request: SimpleRequest) throws -> WrittenURL {
        let url = try url(for: request)
        if let own = try? writtenURL(for: request.specification), own.url == url { return own }
        return WrittenURL(url)
    }
}
