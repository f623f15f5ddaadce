/// Makes what is sent of what a request says and what its client adds.
struct RequestMaker: Sendable {
    private let specification: RequestSpecification
    private let sessionHeaders: HTTPHeaders
    private let url: URL
    private let body: RequestBody
    private let bodyType: MediaType?
    /// Whether the address may see credentials.
    private let isTrusted: Bool
    private let memory: SecretMemory

    init(
        _ specification: RequestSpecification,
        url: URL,
        base: URL,
        mayLeaveOrigin: Bool,
        encoder: @autoclosure () -> JSONEncoder,
        configuration: SimpleNetworking.Configuration,
        sessionHeaders: HTTPHeaders,
        memory: SecretMemory
    ) throws(SimpleNetworkingError) {
        if let mistake = specification.mistake { throw mistake }
        self.specification = specification
        self.sessionHeaders = sessionHeaders
        self.url = url
        self.memory = memory
        (body, bodyType) = try specification.body.encoded(with: encoder())
        if mayLeaveOrigin, let origin = Origin(url) {
            isTrusted = configuration.trusts(origin, besides: base)
        } else {
            isTrusted = true
        }
    }

    /// Gives what is sent, and the names of the header fields that are not.
    func request(
        with configuration: SimpleNetworking.Configuration
    ) throws(SimpleNetworkingError) -> (TransportRequest, withheld: [String]) {
        var headers = merged(over: configuration.defaultHeaders)
        for name in configuration.secretHeaders { headers.markSecret(name) }
        let withheld = isTrusted ? [] : headers.removePrivate(sharing(with: configuration))
        var head = RequestHead(method: specification.method, url: url, headers: headers)
        head.memory = memory
        try check(head)
        var request = TransportRequest(
            head: head,
            body: body,
            timeout: specification.timeout ?? configuration.timeout,
            maxResponseSize: configuration.maxResponseSize
        )
        if case .receiver(let receive, _) = specification.destination { request.sink = .stream(receive) }
        if isTransfer, specification.timeout == nil {
            (request.timeout, request.idleTimeout) = (.infinity, configuration.timeout)
        }
        return (request, withheld)
    }

    /// Whether content of any size is on its way, so that time alone says nothing.
    private var isTransfer: Bool {
        switch body {
        case .file, .stream: true
        case .none, .data: !specification.destination.isMemory
        }
    }

    func sharing(with configuration: SimpleNetworking.Configuration) -> FieldSharing {
        FieldSharing(
            secretNames: configuration.secretHeaders + specification.headers.filter(\.isSecret).map(\.name),
            sharedNames: configuration.sharedHeaders
        )
    }

    /// Merges header fields: the session's, the client's, the request's, and what the content needs.
    private func merged(over client: HTTPHeaders) -> HTTPHeaders {
        var headers = sessionHeaders
        headers.merge(client)
        for header in specification.headers {
            headers[header.name] = header.value
            if header.isSecret { headers.markSecret(header.name) }
        }
        if !headers.contains("Accept"), !specification.names("Accept") {
            // Files and streams are of any type.
            headers.append("Accept", specification.destination.isMemory ? MediaType.json.rawValue : "*/*")
        }
        switch headers["User-Agent"] {
        case nil where !specification.names("User-Agent"): headers.append("User-Agent", UserAgent.standard)
        // It names at least one product, so an empty one is none.
        case "": headers["User-Agent"] = nil
        default: break
        }
        guard !body.isNone else { return headers }
        if let type = specification.contentType {
            headers["Content-Type"] = type.rawValue
        } else if let bodyType, !headers.contains("Content-Type") {
            headers.append("Content-Type", bodyType.rawValue)
        }
        return headers
    }

    /// Refuses what cannot be sent as it is.
    private func check(_ head: RequestHead) throws(SimpleNetworkingError) {
        if !body.isNone, !specification.allowsBodyOnGet, head.method == .get || head.method == .head {
            let reason =
                "a \(head.method) request has no content; servers drop or refuse it. Use another method, or say so "
                + "with allowsBodyOnGet()"
            throw .invalidRequest(reason: reason, head)
        }
        try head.validateFields()
    }
}
