extension SimpleRequest {
    /// Makes a request of a typed one, to add handlers to.
    ///
    /// Its `id` becomes the tag of that name.
    public convenience init<Response>(
        _ request: Request<Response>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let site = RequestSpecification.Site(fileID: fileID, line: line)
        var specification = RequestSpecification(method: request.method, path: request.path, site: site)
        if request.path.isEmpty { specification.path = "/" }
        for (name, value) in request.query ?? [] { specification.query.append(name, value) }
        specification.body = .typed(request.body)
        specification.tags["id"] = request.id
        self.init(specification)
        headers(request.headers ?? [:])
    }

    /// Lets a closure change each attempt last of all.
    func configured(by configure: (@Sendable (inout TransportRequest) throws -> Void)?) -> Self {
        specify { $0.configure = configure }
    }

    /// Lets somebody who awaits the end have the content as a value.
    func decoding<Value: Decodable & SendableMetatype>(_ type: Value.Type, into value: Locked<Value?>) -> Self {
        let site = Isolated(actor: nil, fileID: #fileID, line: #line, body: ())
        return add(
            .value(
                ValueHandler(use: .success, site: site) { (source) throws(SimpleNetworkingError) in
                    let decoded = try source.response?.decode(type, using: source.decoder)
                    value.withLock { $0 = decoded }
                    return nil
                }
            )
        )
    }
}
