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
        let make: @Sendable (SimpleNetworking.Configuration) throws(SimpleNetworkingError) -> (TransportRequest, [String])
        make = { (configuration) throws(SimpleNetworkingError) in
            var headers = specification.headers(over: configuration.defaultHeaders, over: sessionHeaders)
            let secrets = specification.secretHeaders.union(configuration.secretHeaders)
            let withheld = isTrusted ? [] : headers.removeCredentials(alsoNamed: secrets)
            let head = RequestHead(method: specification.method, url: url, headers: headers)
            try specification.check(head)
            let request = TransportRequest(
                head: head,
                body: specification.body,
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
        redirectPolicy = RedirectPolicy(
            trustedOrigins: trusted,
            secretNames: specification.secretHeaders.union(now.secretHeaders),
            allowsInsecure: now.allowsInsecureRedirects
        )
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
        if !body.isNone {
            if let contentType {
                merged["Content-Type"] = contentType.rawValue
            } else if let bodyType, !merged.contains("Content-Type") {
                merged.append("Content-Type", bodyType.rawValue)
            }
        }
        return merged
    }

    fileprivate var secretHeaders: Set<String> { Set(headers.lazy.filter(\.isSecret).map(\.name)) }

    /// Refuses what cannot be sent as it is.
    fileprivate func check(_ head: RequestHead) throws(SimpleNetworkingError) {
        let hasBodyToNoPurpose = !body.isNone && !allowsBodyOnGet && (method == .get || method == .head)
        if hasBodyToNoPurpose {
            let reason = "a \(method) request has no content; servers drop or refuse it. Use another method, or say so "
                + "with allowsBodyOnGet()"
            throw .invalidRequest(reason: reason, head)
        }
        try head.validate()
    }
}

extension HTTPHeaders {
    /// Removes all credentials, and gives their names.
    fileprivate mutating func removeCredentials(alsoNamed secrets: Set<String>) -> [String] {
        let names = names.filter { name in
            Redaction.isSecret(field: name) || secrets.contains { $0.isSameFieldName(as: name) }
        }
        filter { field in !names.contains { $0.isSameFieldName(as: field.name) } }
        return names
    }
}
