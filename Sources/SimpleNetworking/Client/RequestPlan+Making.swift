extension RequestPlan {
    /// Freezes what a request says and what its client adds to it.
    init(
        _ specification: RequestSpecification,
        baseURL: URL,
        sessionHeaders: HTTPHeaders,
        transport: any Transport,
        configuration: @escaping @Sendable () -> SimpleNetworking.Configuration
    ) throws(SimpleNetworkingError) {
        if let mistake = specification.mistake { throw mistake }
        let now = configuration()
        let url = try URLJoining.url(base: baseURL, path: specification.path, query: specification.query)
        var trusted = now.trustedOrigins
        if let origin = Origin(baseURL) { trusted.insert(origin) }
        let isTrusted = Origin(url).map(trusted.contains) ?? false
        let (body, bodyType) = try specification.body.encoded(with: JSONEncoder())
        let make:
            @Sendable (SimpleNetworking.Configuration) throws(SimpleNetworkingError) -> (TransportRequest, [String])
        make = { (configuration) throws(SimpleNetworkingError) in
            var headers = specification.headers(over: configuration.defaultHeaders, over: sessionHeaders)
            if !body.isNone, let type = specification.contentType ?? headers.missingContentType(bodyType) {
                headers["Content-Type"] = type.rawValue
            }
            let secrets = specification.secretHeaders + configuration.secretHeaders
            let withheld = isTrusted ? [] : headers.removeCredentials(alsoNamed: secrets)
            let head = RequestHead(method: specification.method, url: url, headers: headers)
            try specification.check(head, hasBody: !body.isNone)
            let request = TransportRequest(
                head: head,
                body: body,
                timeout: specification.timeout ?? configuration.timeout,
                maxResponseSize: configuration.maxResponseSize
            )
            return (request, withheld)
        }
        (request, withheld) = try make(now)
        remake = { () throws(SimpleNetworkingError) in try make(configuration()).0 }
        self.transport = transport
        clock = now.clock
        retryPolicy = specification.retryPolicy ?? now.retryPolicy
        acceptableStatuses = specification.acceptableStatuses ?? now.acceptableStatuses
        redirectPolicy = now.redirectPolicy
        trustedOrigins = trusted
        secretNames = specification.secretHeaders + now.secretHeaders
    }
}

extension RequestSpecification {
    /// Merges header fields: the session's, the client's, the request's, and what the content needs.
    fileprivate func headers(over client: HTTPHeaders, over session: HTTPHeaders) -> HTTPHeaders {
        var merged = session
        merged.merge(client)
        for header in headers { merged[header.name] = header.value }
        if !merged.contains("Accept"), !headers.contains(where: { $0.name.isSameFieldName(as: "Accept") }) {
            merged.append("Accept", MediaType.json.rawValue)
        }
        return merged
    }

    fileprivate var secretHeaders: [String] { headers.lazy.filter(\.isSecret).map(\.name) }

    /// Refuses what cannot be sent as it is.
    fileprivate func check(_ head: RequestHead, hasBody: Bool) throws(SimpleNetworkingError) {
        if hasBody, !allowsBodyOnGet, method == .get || method == .head {
            let reason =
                "a \(method) request has no content; servers drop or refuse it. Use another method, or say so "
                + "with allowsBodyOnGet()"
            throw .invalidRequest(reason: reason, head)
        }
        try head.validate()
    }
}

extension HTTPHeaders {
    fileprivate func missingContentType(_ type: MediaType?) -> MediaType? { contains("Content-Type") ? nil : type }

    /// Removes all credentials, and gives their names.
    fileprivate mutating func removeCredentials(alsoNamed secrets: [String]) -> [String] {
        let names = names.filter { name in
            Redaction.isSecret(field: name) || secrets.contains { $0.isSameFieldName(as: name) }
        }
        filter { field in !names.contains { $0.isSameFieldName(as: field.name) } }
        return names
    }
}
