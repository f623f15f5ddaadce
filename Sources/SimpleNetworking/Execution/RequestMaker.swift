/// Makes what is sent from what a request says and what its client adds.
final class RequestMaker: Sendable {
    let specification: Boxed<RequestSpecification>
    private let sessionHeaders: HTTPHeaders
    private let url: URL
    private let body: RequestBody
    private let bodyType: MediaType?
    /// Whether the URL may receive credentials.
    private let isTrusted: Bool
    private let memory: SecretMemory

    init(
        _ request: SimpleRequest,
        _ specification: Boxed<RequestSpecification>,
        on client: SimpleNetworking,
        _ settings: SimpleNetworking.Settings
    ) throws(SimpleNetworkingError) {
        if let mistake = specification.value.mistake { throw mistake }
        self.specification = specification
        sessionHeaders = settings.session.headers
        memory = client.memory
        do {
            // Only a subclass can have overridden the hook.
            url =
                client.mayHaveHooks
                ? try client.url(for: request)
                : try client.url(forPath: specification.value.path, query: specification.value.query)
        } catch {
            throw SimpleNetworkingError(error, head: nil)
        }
        (body, bodyType) = try specification.value.body.encoded(with: client.encoder(for: request), noting: memory)
        // A path never leaves the base URL's origin, so the origins need not be taken apart for it.
        let mayLeaveOrigin = client.mayHaveHooks || URLJoining.isAbsolute(specification.value.path)
        isTrusted =
            !mayLeaveOrigin || Origin(url).map { settings.configuration.trusts($0, besides: client.baseURL) } ?? true
    }

    /// Returns what is sent, and the names of the header fields that are not.
    func request(
        with settings: SimpleNetworking.Settings
    ) throws(SimpleNetworkingError) -> (TransportRequest, withheld: [String]) {
        var headers = merged(over: settings.configuration.defaultHeaders)
        for name in settings.configuration.secretHeaders { headers.markSecret(name) }
        let withheld = isTrusted ? [] : headers.removePrivate(sharing(with: settings.configuration))
        var head = RequestHead(method: specification.value.method, url: url, headers: headers)
        head.memory = memory
        try check(head)
        var request = TransportRequest(
            head: head,
            body: body,
            timeout: specification.value.timeout ?? settings.configuration.timeout,
            maxResponseSize: settings.configuration.maxResponseSize,
            followsRedirects: settings.configuration.redirectPolicy != .never
        )
        if case .receiver(let receiver) = specification.value.destination { request.sink = .stream(receiver.receive) }
        if isTransfer, specification.value.timeout == nil {
            (request.timeout, request.idleTimeout) = (.infinity, settings.configuration.timeout)
        }
        return (request, withheld)
    }

    /// Whether content of any size is sent or received, so that time alone says nothing.
    private var isTransfer: Bool {
        switch body {
        case .file, .stream, .chunks: true
        case .none, .data: !specification.value.destination.isMemory
        }
    }

    func sharing(with configuration: SimpleNetworking.Configuration) -> FieldSharing {
        FieldSharing(
            secretNames: configuration.secretHeaders + specification.value.headers.filter(\.isSecret).map(\.name),
            sharedNames: configuration.sharedHeaders
        )
    }

    /// Merges header fields: the session's, the client's, the request's, and what the content needs.
    private func merged(over client: HTTPHeaders) -> HTTPHeaders {
        var headers = sessionHeaders
        headers.merge(client)
        let own = specification.value.headers
        headers.reserve(own.count + 3)
        for header in own {
            headers[header.name] = header.value
            if header.isSecret { headers.markSecret(header.name) }
        }
        if !headers.contains("Accept"), !own.names("Accept") {
            // Files and streams may be of any type.
            headers.append("Accept", specification.value.destination.isMemory ? MediaType.json.rawValue : "*/*")
        }
        switch headers["User-Agent"] {
        case nil where !own.names("User-Agent"): headers.append("User-Agent", UserAgent.standard)
        // It names at least one product, so an empty one is none.
        case "": headers["User-Agent"] = nil
        default: break
        }
        guard !body.isNone else { return headers }
        if let type = specification.value.contentType {
            headers["Content-Type"] = type.rawValue
        } else if let bodyType, !headers.contains("Content-Type") {
            headers.append("Content-Type", bodyType.rawValue)
        }
        return headers
    }

    /// Refuses what can't be sent as it is.
    private func check(_ head: RequestHead) throws(SimpleNetworkingError) {
        if !body.isNone, !specification.value.allowsBodyOnGet, head.method == .get || head.method == .head {
            let reason =
                "a \(head.method) request has no content; servers drop or refuse it. Use another method, or say so "
                + "with allowsBodyOnGet()"
            throw .invalidRequest(reason: reason, head)
        }
        try head.validateFields()
    }
}
