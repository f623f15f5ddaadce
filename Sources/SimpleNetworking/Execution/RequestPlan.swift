/// A request frozen into a value: all that one execution of the pipeline needs.
///
/// It never changes, and is a class so that the stages share it instead of each keeping a copy.
final class RequestPlan: Sendable {
    /// Makes what is sent, with the client's header fields as they are then.
    typealias Maker = @Sendable () throws(SimpleNetworkingError) -> TransportRequest

    /// What is sent first.
    let request: TransportRequest
    /// Makes what is sent when the retry policy sends again; nil if it never does.
    let remake: Maker?
    /// Names of credentials that stay at home, since the address lies outside the trusted origins.
    let withheld: [String]
    let transport: any Transport
    let clock: any RequestClock
    let retryPolicy: RetryPolicy
    let redirectPolicy: RedirectPolicy
    let acceptableStatuses: HTTPStatuses
    /// Names of credentials beside the known ones.
    let secretNames: [String]
    let cookieJar: CookieJar?
    private let baseURL: URL
    private let otherOrigins: Set<Origin>

    init(
        request: TransportRequest,
        withheld: [String],
        baseURL: URL,
        otherOrigins: Set<Origin>,
        secretNames: [String],
        transport: any Transport,
        cookieJar: CookieJar?,
        clock: any RequestClock,
        policies: (retry: RetryPolicy, redirects: RedirectPolicy, acceptable: HTTPStatuses),
        remake: Maker?
    ) {
        self.request = request
        self.withheld = withheld
        self.baseURL = baseURL
        self.otherOrigins = otherOrigins
        self.secretNames = secretNames
        self.transport = transport
        self.cookieJar = cookieJar
        self.clock = clock
        (retryPolicy, redirectPolicy, acceptableStatuses) = policies
        self.remake = remake
    }

    /// The origins that may see credentials.
    var trustedOrigins: Set<Origin> { otherOrigins.union([Origin(baseURL)].compactMap { $0 }) }

    /// The answer as the user gets to see it.
    func response(_ reply: Reply, _ log: EventLog) -> SimpleResponse {
        SimpleResponse(
            request: reply.request.head,
            httpStatus: reply.response.status,
            headers: reply.response.headers,
            data: reply.response.body,
            attempt: log.attempt,
            timings: reply.response.metrics,
            acceptableStatuses: acceptableStatuses
        )
    }
}
