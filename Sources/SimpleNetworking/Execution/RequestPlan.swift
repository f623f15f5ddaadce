/// A request frozen into a value: all that one run of the pipeline needs.
///
/// It never changes, and is a class so that the stages share it instead of each keeping a copy.
final class RequestPlan: Sendable {
    /// What the client's subclass, or the single call, adds to each attempt; nil for what neither does.
    struct Hooks: Sendable {
        var prepare: (@Sendable (inout TransportRequest) async throws -> Void)?
        /// Throws for a response that is no success; by default the acceptable statuses decide.
        var validate: (@Sendable (SimpleResponse) throws -> Void)?
        /// Decides whether a failed attempt is sent again, by its error and its number.
        var shouldRetry: (@Sendable (SimpleNetworkingError, Int) async throws -> Bool)?
    }

    /// What is sent first.
    let request: TransportRequest
    /// The names of the fields that are not sent, since the URL lies outside the trusted origins.
    let withheld: [String]
    let hooks: Hooks
    /// Takes the progress of the content; nil if no handler wants it.
    let progress: (@Sendable (TransferProgress) -> Void)?
    let sharing: FieldSharing
    let settings: SimpleNetworking.Settings
    private let client: SimpleNetworking
    private let maker: RequestMaker
    private let execution: Execution?

    /// Makes the plan of an attempt; `execution` is nil where nothing will be sent.
    ///
    /// - Throws: Why the request can't be sent.
    init(
        _ asked: SimpleRequest,
        _ round: borrowing Execution.Round,
        of execution: Execution?,
        on client: SimpleNetworking,
        _ settings: SimpleNetworking.Settings
    ) throws(SimpleNetworkingError) {
        if let mistake = settings.mistake { throw mistake }
        guard round.specification.value.destination.canBeginAgain else { throw .partlyDelivered(execution?.head) }
        let maker = try RequestMaker(asked, round.specification, on: client, settings)
        let (made, withheld) = try maker.request(with: settings)
        (request, self.withheld) = (made.numbered(round.number), withheld)
        sharing = maker.sharing(with: settings.configuration)
        self.maker = maker
        if round.isForeign, let execution { throw execution.foreignAccount }
        hooks = Hooks(of: client, for: asked, round.specification.value.configure)
        progress = round.wantsProgress ? execution?.progressReport : nil
        (self.client, self.settings, self.execution) = (client, settings, execution)
    }
}

extension TransportRequest {
    fileprivate func numbered(_ number: Int?) -> TransportRequest {
        guard let number else { return self }
        var request = self
        request.number = number
        return request
    }
}

extension RequestPlan.Hooks {
    fileprivate init(
        of client: SimpleNetworking,
        for request: SimpleRequest,
        _ configure: (@Sendable (inout TransportRequest) throws -> Void)?
    ) {
        if client.mayHaveHooks {
            prepare = { attempt in
                try await client.prepare(&attempt, for: request)
                try configure?(&attempt)
            }
            validate = { try client.validate($0) }
            shouldRetry = { try await client.shouldRetry(request, error: $0, attempt: $1) }
        } else if let configure {
            prepare = { try configure(&$0) }
        }
    }
}

// MARK: Settings

extension RequestPlan {
    var transport: any Transport { settings.session.transport }
    var flight: SimpleNetworking.SingleFlight { client.flight }
    #if os(Linux)
        /// Where the pipeline continues after the transport; nil for Swift's own threads.
        var executor: (any TaskExecutor)? {
            if let scheduler { return scheduler.taskExecutor }
            #if canImport(CLibcurl)
                return (transport as? CurlTransport)?.executor
            #else
                return nil
            #endif
        }
    #endif
    /// What runs tasks and handlers in a simulation; nil without one.
    var scheduler: Scheduler? { settings.configuration.callbackQueues.scheduler }
    var clock: any RequestClock { settings.configuration.clock }
    var destination: ContentDestination { maker.specification.value.destination }
    var cachePolicy: CachePolicy { maker.specification.value.cachePolicy ?? settings.configuration.cachePolicy }
    var retryPolicy: RetryPolicy { maker.specification.value.retryPolicy ?? settings.configuration.retryPolicy }
    private var acceptableStatuses: HTTPStatuses {
        maker.specification.value.acceptableStatuses ?? settings.configuration.acceptableStatuses
    }

    /// Whether the retry policy or `shouldRetry` may send again.
    var mayRetry: Bool { retryPolicy.attempts > 1 || hooks.shouldRetry != nil }
    /// Whether a stage looks over each attempt just before it is sent, and counts it: an authenticator may send
    /// several.
    var isPrepared: Bool { hooks.prepare != nil || settings.configuration.authenticator != nil }
    /// The origins that may receive credentials.
    var trustedOrigins: Set<Origin> {
        settings.configuration.trustedOrigins.union([Origin(client.baseURL)].compactMap { $0 })
    }
}

// MARK: Attempts

extension RequestPlan {
    /// Makes the next attempt, with the client's header fields as they are now.
    func remake() throws(SimpleNetworkingError) -> TransportRequest {
        let (settings, mark) = client.current
        if settings.configuration.authenticator == nil { try execution?.checkAccount(mark.account) }
        return try maker.request(with: settings).0.numbered(request.number)
    }

    /// Prepares what an attempt sends, and returns the names of the fields that are not sent.
    func prepare(_ request: TransportRequest) async throws -> (TransportRequest, withheld: [String]) {
        var prepared = request
        try await hooks.prepare?(&prepared)
        let withheld = withhold(from: &prepared)
        try prepared.head.validateFields()
        return (prepared, self.withheld + withheld)
    }

    /// Returns whether a URL may receive credentials.
    func isTrusted(_ url: URL) -> Bool { Origin(url).map(trustedOrigins.contains) ?? false }

    /// Returns whether a response is from an origin that was sent credentials, and not from one that was redirected to.
    func isFromTrusted(_ response: TransportResponse) -> Bool { isTrusted(response.request?.url ?? request.url) }

    /// Takes out the fields that the origin must not see, and returns their names.
    func withhold(from request: inout TransportRequest) -> [String] {
        if isTrusted(request.url) { return [] }
        return request.headers.removePrivate(sharing)
    }

    /// The response as handlers see it.
    func seen(_ response: TransportResponse, attempt: Int) -> SimpleResponse {
        SimpleResponse(
            request: response.request ?? request.head,
            parts: response.parts,
            attempt: attempt,
            acceptableStatuses: acceptableStatuses
        )
    }

    /// What a response means.
    func result(of response: TransportResponse, attempt: Int) -> AttemptResult {
        let response = seen(response, attempt: attempt)
        guard let validate = hooks.validate else { return .response(response, response.error) }
        do {
            try validate(response)
            return .response(response, nil)
        } catch {
            return .response(response, SimpleNetworkingError(error, head: response.request, response: response))
        }
    }
}
