import SimpleNetworkingSupport

extension SimpleRequest {
    /// Creates a request from a typed request, so that you can add handlers.
    ///
    /// The typed request's `id` becomes the tag `id`.
    public convenience init<Response>(
        _ request: Request<Response>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let path = request.path.isEmpty ? "/" : request.path
        var specification = RequestSpecification(method: request.method, path: path, fileID: fileID, line: line)
        specification.query = request.sentQuery ?? [:]
        specification.body = .typed(request.body)
        if let id = request.id { specification.tags["id"] = id }
        specification.defaultAccept = Request<Response>.defaultAccept
        self.init(specification)
        headers(request.headers ?? [:])
    }

    /// Sets a closure that changes each attempt after all other changes.
    package func configured(by configure: (@Sendable (inout TransportRequest) throws -> Void)?) -> Self {
        specify { $0.configure = configure }
    }
}
