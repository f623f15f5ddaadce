/// A request frozen into a value: all that one execution of the pipeline needs.
///
/// It never changes, and is a class so that the stages share it instead of each keeping a copy.
final class RequestPlan: Sendable {
    /// Makes what is sent, with the client's header fields as they are then.
    typealias Maker = @Sendable () throws(SimpleNetworkingError) -> TransportRequest

    /// What is sent first.
    let request: TransportRequest
    /// Makes what is sent when the retry policy or `shouldRetry` sends again; nil if neither ever does.
    let remake: Maker?
    /// Names of the fields that stay at home, since the URL lies outside the trusted origins.
    let withheld: [String]
    let transport: any Transport
    let clock: any RequestClock
    let retryPolicy: RetryPolicy
    /// How often `shouldRetry` may have its way.
    let maxRetries: Int
    let redirectPolicy: RedirectPolicy
    let sharing: FieldSharing
    let cookieJar: CookieJar?
    let cache: ResponseCache?
    let cachePolicy: CachePolicy
    let hooks: Hooks
    let guarding: AuthenticationStage.Guard?
    /// The user's, outermost first.
    let middleware: [any Middleware]
    let destination: ContentDestination
    /// Takes what has moved of the content; nil if nobody wants to know.
    let progress: (@Sendable (TransferProgress) -> Void)?
    private let acceptableStatuses: HTTPStatuses
    private let baseURL: URL
    private let otherOrigins: Set<Origin>

    init(
        request: TransportRequest,
        withheld: [String],
        baseURL: URL,
        otherOrigins: Set<Origin>,
        sharing: FieldSharing,
        transport: any Transport,
        cookieJar: CookieJar?,
        caching: (cache: ResponseCache?, policy: CachePolicy),
        clock: any RequestClock,
        policies: (retry: RetryPolicy, maxRetries: Int, redirects: RedirectPolicy, acceptable: HTTPStatuses),
        hooks: Hooks,
        guarding: AuthenticationStage.Guard?,
        middleware: [any Middleware],
        destination: ContentDestination,
        progress: (@Sendable (TransferProgress) -> Void)?,
        remake: Maker?
    ) {
        self.request = request
        self.withheld = withheld
        self.baseURL = baseURL
        self.otherOrigins = otherOrigins
        self.sharing = sharing
        self.transport = transport
        self.cookieJar = cookieJar
        (cache, cachePolicy) = caching
        self.clock = clock
        (retryPolicy, maxRetries, redirectPolicy, acceptableStatuses) = policies
        self.hooks = hooks
        self.guarding = guarding
        self.middleware = middleware
        self.destination = destination
        self.progress = progress
        self.remake = remake
    }

    /// A comparison with nil would need macOS 15: it is generic over the type of a function that throws a certain error.
    var mayRetry: Bool { if case .some = remake { true } else { false } }

    /// The origins that may see credentials.
    var trustedOrigins: Set<Origin> { otherOrigins.union([Origin(baseURL)].compactMap { $0 }) }
}

extension RequestPlan {
    /// The answer as the user gets to see it.
    func seen(_ response: TransportResponse, _ log: EventLog) -> SimpleResponse {
        SimpleResponse(
            request: response.request ?? request.head,
            answer: response.answer,
            attempt: log.attempt,
            acceptableStatuses: acceptableStatuses
        )
    }

    /// What an answer means.
    func verdict(on response: TransportResponse, _ log: EventLog) -> Verdict {
        let response = seen(response, log)
        guard let validate = hooks.validate else { return .answered(response, response.error) }
        do {
            try validate(response)
            return .answered(response, nil)
        } catch {
            return .answered(response, SimpleNetworkingError(error, head: response.request, response: response))
        }
    }

    func recordAttempt(_ request: TransportRequest, withheld: [String], _ log: EventLog) {
        log.recordAttempt(request.head)
        if !withheld.isEmpty { log.record(.withheld(fields: withheld)) }
    }

    /// What an attempt sends, and the names of the fields that stay at home.
    func prepare(_ request: TransportRequest) async throws -> (TransportRequest, withheld: [String]) {
        var prepared = request
        try await hooks.prepare?(&prepared)
        let withheld = withhold(from: &prepared)
        try prepared.head.validateFields()
        return (prepared, self.withheld + withheld)
    }

    /// Says whether an address may see credentials.
    func isTrusted(_ url: URL) -> Bool { Origin(url).map(trustedOrigins.contains) ?? false }

    /// Takes out the fields that the origin must not see, and gives their names.
    func withhold(from request: inout TransportRequest) -> [String] {
        if isTrusted(request.url) { return [] }
        return request.headers.removePrivate(sharing)
    }
}
