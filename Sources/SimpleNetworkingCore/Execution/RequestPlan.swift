import SimpleNetworkingSupport

/// An immutable snapshot of a request and its client's additions, for one run of the pipeline.
///
/// The plan is a class, so that the stages share it instead of each keeping a copy.
final class RequestPlan: Sendable {
    let settings: SimpleNetworking.Settings
    let client: SimpleNetworking
    let specification: RequestSpecification
    /// The URL that was asked for, before hooks and redirects.
    let url: WrittenURL
    private let body: RequestBody
    private let bodyType: MediaType?
    /// Whether the URL may receive credentials.
    private let isURLTrusted: Bool
    /// The request for the hooks, or nil if the client has no hooks, which only a subclass can override.
    let hooked: SimpleRequest?
    /// The request's number, if the request is observed.
    private let number: Int?
    /// What holds back the transfer while the request is suspended; nil for a transfer that can't be held back.
    let suspension: Suspension?
    /// Receives the transport's reports apart from the response, or is nil if nothing will be sent.
    private let report: (@Sendable (RequestEvent.Kind) -> Void)?
    /// Receives the progress of the content, or is nil if no handler needs it.
    let progress: (@Sendable (TransferProgress) -> Void)?
    /// The round of the execution.
    let round: Int
    /// What takes part in the request, in the order in which it is asked.
    let features: [any Feature.Type]
    /// The client's options, and those of the request in their place.
    let options: Options

    /// - Throws: The reason why the request can't be sent.
    init(
        _ request: SimpleRequest,
        _ specification: consuming RequestSpecification,
        on client: SimpleNetworking,
        _ settings: SimpleNetworking.Settings,
        number: Int? = nil,
        suspension: Suspension? = nil,
        report: (@Sendable (RequestEvent.Kind) -> Void)? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        round: Int = 0
    ) throws(SimpleNetworkingError) {
        if let mistake = settings.mistake ?? specification.mistake { throw mistake }
        let hasHooks = client.mayHaveHooks
        do {
            url = hasHooks ? try client.hookedURL(for: request) : try client.writtenURL(for: specification)
        } catch { throw SimpleNetworkingError(error, head: nil) }
        (body, bodyType) = try specification.body.encoded(with: client.encoder(for: request), noting: client.memory)
        // A path never leaves the base URL's origin, so the origins need not be compared for it.
        let mayLeaveOrigin = hasHooks || URLJoining.isAbsolute(specification.path)
        isURLTrusted =
            !mayLeaveOrigin
            || Origin(url.url).map { settings.configuration.trusts($0, besides: client.baseURL) } ?? true
        hooked = hasHooks ? request : nil
        options = settings.configuration.options.replaced(by: specification.options)
        features = specification.options.isEmpty ? settings.features : options.features
        self.specification = specification
        self.client = client
        self.settings = settings
        self.number = number
        self.suspension = suspension
        self.report = report
        self.progress = progress
        self.round = round
    }

    var memory: SecretMemory { client.memory }
    var transport: any Transport { destination.transport ?? settings.session.transport }
    var engine: EngineTraits { settings.session.engine }
    /// The client's middleware, and then the request's.
    var middleware: [any Middleware] {
        let own = specification.middleware
        return own.isEmpty ? settings.configuration.middleware : settings.configuration.middleware + own
    }
    /// Runs tasks and handlers in a simulation, or is nil outside a simulation.
    var scheduler: Scheduler? { settings.configuration.scheduler }
    var clock: any RequestClock { settings.configuration.clock }
    var destination: ContentDestination { specification.destination }
    var deadline: TimeInterval? { specification.deadline ?? settings.configuration.deadline }
    var retryPolicy: RetryPolicy { specification.retryPolicy ?? settings.configuration.retryPolicy }

    var acceptableStatuses: HTTPStatuses {
        specification.acceptableStatuses ?? settings.configuration.acceptableStatuses
    }

    var redirectPolicy: RedirectPolicy { specification.redirectPolicy ?? settings.configuration.redirectPolicy }

    /// Whether the retry policy or `shouldRetry` may send the request again.
    var mayRetry: Bool { retryPolicy.attempts > 1 || hooked != nil }
    /// Whether a stage checks and counts each attempt just before it is sent.
    ///
    /// An authenticator may send several attempts.
    var isPrepared: Bool {
        hasPreparation || settings.configuration.authenticator != nil
    }

    /// Whether user code runs before the request is passed to one of the package's engines.
    var runsUserCode: Bool {
        isPrepared || !middleware.isEmpty || !engine.isOwn
    }

    var trustedOrigins: Set<Origin> {
        settings.configuration.trustedOrigins.union([Origin(client.baseURL)].compactMap { $0 })
    }

    /// Returns whether a URL may receive credentials.
    func isTrusted(_ url: URL) -> Bool { Origin(url).map(trustedOrigins.contains) ?? false }

    /// Removes the fields that the origin must not see, and returns their names.
    func withhold(from request: inout TransportRequest) -> [String] {
        isTrusted(request.url) ? [] : request.headers.removePrivate(sharing)
    }

    /// The rules for fields that another origin must not see.
    var sharing: CrossOriginFields { sharing(with: settings.configuration) }

    private func sharing(with configuration: SimpleNetworking.Configuration) -> CrossOriginFields {
        CrossOriginFields(
            secretNames: configuration.secretHeaders + specification.headers.filter(\.isSecret).map(\.name),
            sharedNames: destination.openEnd.map { configuration.sharedHeaders.union($0.sharedHeaders) }
                ?? configuration.sharedHeaders
        )
    }
}

// MARK: Requests

extension RequestPlan {
    /// Creates an attempt, and returns the names of the fields withheld from an untrusted origin.
    func attempt(
        with settings: SimpleNetworking.Settings
    ) throws(SimpleNetworkingError) -> (request: TransportRequest, withheld: [String]) {
        var headers = merged(over: settings.configuration.defaultHeaders)
        for name in settings.configuration.secretHeaders { headers.markSecret(name) }
        let withheld = isURLTrusted ? [] : headers.removePrivate(sharing(with: settings.configuration))
        var head = RequestHead(method: specification.method, url: url.url, headers: headers)
        // Otherwise, a signature would be for another text than the one sent.
        if engine.sendsWrittenURLs { head.written = url }
        head.memory = memory
        try check(head)
        var request = TransportRequest(
            head: head,
            body: body,
            timeout: specification.timeout ?? settings.configuration.timeout,
            maxResponseSize: settings.configuration.maxResponseSize,
            number: number,
            clock: settings.testClock,
            followsRedirects: redirectPolicy != .never,
            isTransfer: isTransfer,
            report: report
        )
        request.defaults = settings.configuration.defaultHeaders
        if let scheduler { request.scheduler = scheduler }
        if !options.isEmpty { request.options = options }
        switch destination {
        case .memory: break
        case .receiver(let receiver): request.sink = .stream(receiver.receive)
        case .other(let other): if case .stream = other.sink { request.sink = other.sink }
        }
        let openEnd = destination.openEnd
        if isTransfer, let suspension { request.suspension = suspension }
        if isTransfer, specification.timeout == nil {
            request.timeout = .infinity
            request.idleTimeout = settings.configuration.timeout
            if openEnd != nil { request.headTimeout = request.idleTimeout }
        }
        if let openEnd { request.idleTimeout = openEnd.idleTimeout }
        return (request, withheld)
    }

    /// Whether content of any size is sent or received, so that the total time is not a useful limit.
    private var isTransfer: Bool {
        switch body {
        case .file, .stream, .chunks: true
        case .none, .data: !destination.isMemory || specification.isSentInParts
        }
    }

    /// Merges the header fields of the session, the client and the request, and those that the content needs.
    func merged(over client: HTTPHeaders) -> HTTPHeaders {
        var headers = settings.session.headers
        headers.merge(client)
        let own = specification.headers
        headers.reserve(own.count + 3)
        for header in own {
            headers[header.name] = header.value
            if header.isSecret { headers.markSecret(header.name) }
        }
        if !headers.contains("Accept"), !own.names("Accept") {
            // Files and streams may have any type.
            headers.append("Accept", destination.isMemory ? specification.defaultAccept : "*/*")
        }
        switch headers["User-Agent"] {
        case nil where !own.names("User-Agent"): headers.append("User-Agent", UserAgent.standard)
        // The field must name at least one product, so an empty one is removed.
        case "": headers["User-Agent"] = nil
        default: break
        }
        setContentType(of: &headers)
        return headers
    }

    private func setContentType(of headers: inout HTTPHeaders) {
        let name = "Content-Type"
        guard let bodyType else { return }
        let isOwn = specification.headers.names(name)
        let own = specification.contentType?.rawValue ?? (isOwn ? headers[name] : nil)
        let field =
            switch specification.body.typeChoice {
            case .assumed: own ?? headers[name]
            case .named: own
            case .needed(let parameter):
                own.flatMap { MediaType($0).parameter(parameter) == bodyType.parameter(parameter) ? $0 : nil }
            }
        headers[name] = field ?? bodyType.rawValue
    }

    /// Rejects a request that can't be sent as it is.
    private func check(_ head: RequestHead) throws(SimpleNetworkingError) {
        if !destination.canBeginAgain { throw .partlyDelivered(head) }
        try check(body, of: head)
        for feature in features { try feature.check(body, of: head, with: options) }
        try head.validateFields()
    }

    /// Rejects content that the method doesn't allow.
    private func check(_ body: RequestBody, of head: RequestHead) throws(SimpleNetworkingError) {
        guard !body.isNone, !specification.allowsBodyOnGet, head.method == .get || head.method == .head else { return }
        let reason =
            "a \(head.method) request has no content; servers drop or refuse it. Use another method, or allow it "
            + "with allowsBodyOnGet()"
        throw .invalidRequest(reason: reason, head)
    }

    /// Lets the client's subclass and then the call change an attempt; returns the names of withheld fields.
    func prepare(_ request: TransportRequest) async throws -> (request: TransportRequest, withheld: [String]) {
        var prepared = request
        if let hooked { try await client.prepare(&prepared, for: hooked) }
        try specification.configure?(&prepared)
        let withheld = withhold(from: &prepared)
        try check(prepared.body, of: prepared.head)
        try prepared.head.validateFields()
        return (prepared, withheld)
    }
}
